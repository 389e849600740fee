/**
 * Secrets of a project: values that the service types into pages and gives to no caller.
 *
 *   an admin puts one in ──> sealed in the store ──> `use`, for the room that types it ──> masked from then on
 */
import { ApiError } from '../errors.ts';
import { iso, isoOrUndefined } from '../kit/clock.ts';
import { newId } from '../kit/id.ts';
import type { Log } from '../kit/log.ts';
import { KeyedMutex } from '../kit/mutex.ts';
import { type ListPage, type PageQuery, pageOfList } from '../kit/page-of-list.ts';
import type { ProjectSecretRecord, Store } from '../store/records.ts';
import type { Masks } from './masks.ts';
import { type Content, codeMaskedMs, formBytesOf, refuseTooMany, refuseWithoutRoom } from './room.ts';
import type { CreateSecret, PatchSecret, Secret } from './schema.ts';
import { codeAt, type Totp } from './totp.ts';

export { maskedBytes } from './mask-text.ts';
export { maskingEvents } from './masked-store.ts';
export { Masks } from './masks.ts';
export type { Matcher } from './matcher.ts';

export interface UsedSecret {
  id: string;
  name: string;
  origins: readonly string[];
  /** What is to be typed now. */
  text: string;
}

/** A node whose clock differs by more does not start. */
const clocksDifferMs = 10_000;
const lookEveryMs = 1000;
/** Read at once of those that were used. */
const pageOfUsed = 100;

export class Secrets {
  readonly masks: Masks;
  readonly #store: Store;
  readonly #creating = new KeyedMutex();
  #maskedUpTo = 0;

  constructor(parts: { store: Store; masks: Masks }) {
    this.#store = parts.store;
    this.masks = parts.masks;
  }

  /** What was typed before this start, or by another node, may still stand in a page that comes back. */
  async maskUsed(): Promise<void> {
    const began = Date.now();
    const since = this.#maskedUpTo - clocksDifferMs;
    let upTo = this.#maskedUpTo;
    for (let after = '', left = true; left; ) {
      const used = await this.#store.projectSecrets.used({ since, after, limit: pageOfUsed });
      await this.#mask(used);
      for (const { id, lastUsedAt } of used) {
        after = id;
        upTo = Math.max(upTo, lastUsedAt ?? 0);
      }
      left = used.length === pageOfUsed;
    }
    // What is used meanwhile may be of a page that was read before.
    this.#maskedUpTo = Math.min(upTo, began);
  }

  async #mask(records: readonly ProjectSecretRecord[]): Promise<void> {
    const values = new Map<string, string[]>();
    for (const record of records) {
      const { projectId } = record;
      const content = read(record);
      const usedAt = record.lastUsedAt ?? 0;
      if ('totp' in content)
        await this.masks.add(projectId, [codeAt(content.totp, usedAt)], usedAt + codeMaskedMs);
      else values.set(projectId, [...(values.get(projectId) ?? []), content.value]);
    }
    for (const [projectId, all] of values) await this.masks.add(projectId, all);
  }

  /** A site may show what one node has typed in the pages of another. */
  keepMasking(log: Log): Disposable {
    const look = (): void =>
      void this.maskUsed().catch((error: unknown) => log.warn({ err: error }, 'secrets.look_failed'));
    const timer = setInterval(look, lookEveryMs).unref();
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  async create(projectId: string, { name, value, totp, origins, metadata }: CreateSecret): Promise<Secret> {
    const now = Date.now();
    const content: Content = totp ? { totp } : { value: value as string };
    const record: ProjectSecretRecord = {
      id: newId('secret'),
      projectId,
      name,
      kind: totp ? 'totp' : 'value',
      origins: [...new Set(origins)],
      metadata: metadata ?? {},
      content: JSON.stringify(content),
      formBytes: await formBytesOf(projectId, content),
      createdAt: now,
      updatedAt: now,
      lastUsedAt: null,
    };
    return this.#creating.run(projectId, async () => {
      const { projectSecrets } = this.#store;
      refuseTooMany(await projectSecrets.totals(projectId), { count: 1, formBytes: record.formBytes });
      if (!(await projectSecrets.insert(record))) throw nameTaken(name);
      return view(record);
    });
  }

  list(projectId: string, query: PageQuery): Promise<ListPage<Secret>> {
    return pageOfList(query, (page) => this.#store.projectSecrets.list({ projectId, ...page }), view);
  }

  async get(projectId: string, id: string): Promise<Secret> {
    return view((await this.#store.projectSecrets.get(id, projectId)) ?? unknownSecret());
  }

  async change(
    projectId: string,
    id: string,
    { value, totp, origins, metadata }: PatchSecret,
  ): Promise<Secret> {
    const content = contentOf({ value, totp });
    const patch = {
      updatedAt: Date.now(),
      ...(origins && { origins: [...new Set(origins)] }),
      ...(metadata && { metadata }),
    };
    const { projectSecrets } = this.#store;
    if (!content) return view((await projectSecrets.change(id, projectId, patch)) ?? unknownSecret());
    const formBytes = await formBytesOf(projectId, content);
    return this.#creating.run(projectId, async () => {
      const before = (await projectSecrets.get(id, projectId)) ?? unknownSecret();
      const more = { count: 0, formBytes: formBytes - before.formBytes };
      refuseTooMany(await projectSecrets.totals(projectId), more);
      const changed = await projectSecrets.change(id, projectId, {
        ...patch,
        content: JSON.stringify(content),
        kind: 'totp' in content ? 'totp' : 'value',
        formBytes,
        // So far the new value has stood in no page.
        lastUsedAt: null,
      });
      return view(changed ?? unknownSecret());
    });
  }

  async remove(projectId: string, id: string): Promise<{ id: string; deleted: true }> {
    if (!(await this.#store.projectSecrets.remove(id, projectId))) unknownSecret();
    return { id, deleted: true };
  }

  /** Where it may be typed; known before its value is. */
  async find(projectId: string, name: string): Promise<Secret> {
    return view(await this.#named(projectId, name));
  }

  /** For the one that types it. From now on it is masked, also when it is not typed after all. */
  async use(projectId: string, name: string, wanted: 'any' | 'code'): Promise<UsedSecret> {
    const record = await this.#named(projectId, name);
    const content = read(record);
    const now = Date.now();
    if ('value' in content && wanted === 'code')
      throw new ApiError(
        'SECRET_NOT_FOUND',
        `The secret ${name} makes no codes: it was created with \`value\`.`,
      );
    const text = 'value' in content ? content.value : codeAt(content.totp, now);
    const until = 'value' in content ? undefined : now + codeMaskedMs;
    if (!this.masks.has(projectId, text, until)) refuseWithoutRoom(this.masks.bytesOf(projectId));
    await this.masks.add(projectId, [text], until);
    await this.#store.projectSecrets.change(record.id, projectId, { lastUsedAt: now });
    return { id: record.id, name, origins: record.origins, text };
  }

  async #named(projectId: string, name: string): Promise<ProjectSecretRecord> {
    return (await this.#store.projectSecrets.named(projectId, name)) ?? unknownSecret(name);
  }
}

function contentOf({ value, totp }: { value?: string; totp?: Totp }): Content | undefined {
  if (totp) return { totp };
  return value === undefined ? undefined : { value };
}

const read = ({ content }: ProjectSecretRecord): Content => JSON.parse(content);

const view = (record: ProjectSecretRecord): Secret => ({
  id: record.id,
  name: record.name,
  kind: record.kind,
  origins: record.origins,
  metadata: record.metadata,
  createdAt: iso(record.createdAt),
  updatedAt: iso(record.updatedAt),
  lastUsedAt: isoOrUndefined(record.lastUsedAt),
});

const nameTaken = (name: string): ApiError =>
  new ApiError(
    'SECRET_EXISTS',
    `There is a secret ${name} in the project already. Change it (PATCH), or choose another name.`,
  );

function unknownSecret(name?: string): never {
  const which = name === undefined ? 'with this id' : name.slice(0, 128);
  throw new ApiError(
    'SECRET_NOT_FOUND',
    `There is no secret ${which} in this project. List them: GET /v1/secrets.`,
  );
}
