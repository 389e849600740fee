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
import type { CreateSecret, PatchSecret, Secret } from './schema.ts';
import { codeAt, type Totp } from './totp.ts';

export { maskingEvents } from './masked-store.ts';
export { Masks } from './masks.ts';

/** What is sealed of it. */
type Content = { value: string } | { totp: Totp };

export interface UsedSecret {
  id: string;
  name: string;
  origins: readonly string[];
  /** What is to be typed now. */
  text: string;
}

const mostSecrets = 1000;
/** A code is good for a minute or two; it is masked for longer, in case a page shows it late. */
const codeMaskedMs = 600_000;
/** A node whose clock differs by more does not start. */
const clocksDifferMs = 10_000;
const lookEveryMs = 1000;

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
    for (const record of await this.#store.projectSecrets.used(this.#maskedUpTo - clocksDifferMs)) {
      const content = read(record);
      const usedAt = record.lastUsedAt ?? 0;
      const until = usedAt + codeMaskedMs;
      if ('value' in content) this.masks.add(record.projectId, content.value);
      else if (until > Date.now()) this.masks.add(record.projectId, codeAt(content.totp, usedAt), until);
      this.#maskedUpTo = Math.max(this.#maskedUpTo, usedAt);
    }
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
    const record: ProjectSecretRecord = {
      id: newId('secret'),
      projectId,
      name,
      kind: totp ? 'totp' : 'value',
      origins: [...new Set(origins)],
      metadata: metadata ?? {},
      content: JSON.stringify(contentOf({ value, totp })),
      createdAt: now,
      updatedAt: now,
      lastUsedAt: null,
    };
    return this.#creating.run(projectId, async () => {
      if ((await this.#store.projectSecrets.count(projectId)) >= mostSecrets) throw tooMany();
      if (!(await this.#store.projectSecrets.insert(record))) throw nameTaken(name);
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
    const changed = await this.#store.projectSecrets.change(id, projectId, {
      updatedAt: Date.now(),
      ...(content && {
        content: JSON.stringify(content),
        kind: 'totp' in content ? 'totp' : 'value',
        // So far the new value has stood in no page.
        lastUsedAt: null,
      }),
      ...(origins && { origins: [...new Set(origins)] }),
      ...(metadata && { metadata }),
    });
    return view(changed ?? unknownSecret());
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
    this.masks.add(projectId, text, 'value' in content ? undefined : now + codeMaskedMs);
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

const tooMany = (): ApiError =>
  new ApiError(
    'TOO_MANY_SECRETS',
    `The project has ${mostSecrets} secrets, and may have no more. Delete one that is no longer needed.`,
    { details: { limit: mostSecrets } },
  );

function unknownSecret(name?: string): never {
  const which = name === undefined ? 'with this id' : name.slice(0, 128);
  throw new ApiError(
    'SECRET_NOT_FOUND',
    `There is no secret ${which} in this project. List them: GET /v1/secrets.`,
  );
}
