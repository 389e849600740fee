/**
 * Authentication. A key belongs to a project, and a project sees only its own records:
 *
 *   Authorization: Bearer bd_…  ──sha256──>  key row  ──>  { projectId, keyId, role }
 */
import { join } from 'node:path';
import { ApiError } from '../errors.ts';
import { iso, isoOrUndefined } from '../kit/clock.ts';
import { newId } from '../kit/id.ts';
import type { Log } from '../kit/log.ts';
import { type ListPage, type PageQuery, pageOfList } from '../kit/page-of-list.ts';
import type { KeyRecord, ProjectRecord, Store } from '../store/records.ts';
import { Capabilities } from './capabilities.ts';
import { ensureFirstKey, type FirstKey, isUsable, operatorsProject } from './first-key.ts';
import { Idempotency } from './idempotency.ts';
import type { CreatedKey, CreateKey, Key, RevokedKey } from './schema.ts';
import { hashOf, newSecret } from './secret.ts';

export { Capabilities, type CapabilityKind, type CapabilityMode, type Grant } from './capabilities.ts';
export { type Answer, Idempotency, isKept, type Work } from './idempotency.ts';

export interface Principal {
  projectId: string;
  keyId: string;
  role: KeyRecord['role'];
}

export type { FirstKey } from './first-key.ts';

const touchEvery = 60_000;
const bearer = /^bearer +([\x21-\x7e]{1,256}) *$/i;

const unauthenticated = (message: string): ApiError =>
  new ApiError('UNAUTHENTICATED', message, { headers: { 'www-authenticate': 'Bearer' } });

const view = (key: KeyRecord): Key => ({
  id: key.id,
  name: key.name,
  role: key.role,
  projectId: key.projectId,
  createdAt: iso(key.createdAt),
  lastUsedAt: isoOrUndefined(key.lastUsedAt),
  expiresAt: isoOrUndefined(key.expiresAt),
});

export class Access {
  readonly #store: Store;
  readonly #log: Log;
  readonly #touching = new Set<string>();
  readonly #onlyProject: string | undefined;

  /** `onlyProject`: keys of any other project are refused, since there are no boxes between projects here. */
  constructor(parts: { store: Store; log: Log; onlyProject?: string }) {
    this.#store = parts.store;
    this.#log = parts.log;
    this.#onlyProject = parts.onlyProject;
  }

  /** The row is read for every request, so that a revoked key is refused from the next one on, on every node. */
  async authenticate(authorization: string | undefined): Promise<Principal> {
    const secret = bearer.exec(authorization ?? '')?.[1];
    if (secret === undefined)
      throw unauthenticated('No API key was sent. Send the header `Authorization: Bearer <key>`.');
    const key = await this.#store.keys.findByHash(hashOf(secret));
    const now = Date.now();
    if (key === undefined || !isUsable(key, now))
      throw unauthenticated('The API key is not valid: it is unknown, revoked or expired.');
    this.#refuseOtherProject(key);
    this.#touch(key, now);
    return { projectId: key.projectId, keyId: key.id, role: key.role };
  }

  /** The principal of this key, as long as the key itself would be accepted. */
  async principalOf(keyId: string): Promise<Principal> {
    const key = await this.#store.keys.get(keyId);
    if (key === undefined || !isUsable(key, Date.now()))
      throw unauthenticated('The API key in whose name this was allowed is revoked or expired.');
    this.#refuseOtherProject(key);
    return { projectId: key.projectId, keyId, role: key.role };
  }

  #refuseOtherProject({ projectId }: KeyRecord): void {
    if (this.#onlyProject === undefined || projectId === this.#onlyProject) return;
    throw unauthenticated(
      `This service has no boxes between projects (BROWSERD_ISOLATION=one-project), and takes keys of the project \`${operatorsProject}\` alone.`,
    );
  }

  /** After the answer, and at most once a minute: it is information for people, not worth a delay of the caller. */
  #touch(key: KeyRecord, now: number): void {
    if (now - (key.lastUsedAt ?? 0) < touchEvery || this.#touching.has(key.id)) return;
    this.#touching.add(key.id);
    setImmediate(() => {
      this.#store.keys
        .touch(key.id, now)
        .catch((error: unknown) => this.#log.warn({ err: error, keyId: key.id }, 'key.touch_failed'))
        .finally(() => this.#touching.delete(key.id));
    });
  }

  ensureProject(name: string): Promise<ProjectRecord> {
    return this.#store.projects.ensure(name);
  }

  async projectName(id: string): Promise<string> {
    return (await this.#store.projects.get(id))?.name ?? id;
  }

  /** The operator's project is the one that the first key belongs to. */
  async isOperator({ projectId, role }: Principal): Promise<boolean> {
    return role === 'admin' && (await this.projectName(projectId)) === operatorsProject;
  }

  async createKey(projectId: string, input: CreateKey): Promise<CreatedKey> {
    const secret = newSecret();
    const key: KeyRecord = {
      id: newId('key'),
      projectId,
      name: input.name,
      role: input.role,
      hash: hashOf(secret),
      createdAt: Date.now(),
      lastUsedAt: null,
      expiresAt: input.expiresAt ?? null,
      revokedAt: null,
    };
    await this.#store.keys.insert(key);
    return { ...view(key), key: secret };
  }

  /** Without a project: of all of them, for the operator. */
  listKeys(projectId: string | undefined, query: PageQuery): Promise<ListPage<Key>> {
    return pageOfList(query, (page) => this.#store.keys.list({ projectId, ...page }), view);
  }

  async revokeKey(projectId: string | undefined, id: string): Promise<RevokedKey> {
    const at = Date.now();
    const outcome = await this.#store.keys.revoke(id, projectId, at);
    if (outcome === 'unknown')
      throw new ApiError(
        'KEY_NOT_FOUND',
        'There is no key with this id in the project, or it is revoked already.',
      );
    if (outcome === 'lastAdmin')
      throw new ApiError(
        'LAST_ADMIN_KEY',
        'This is the last admin key of its project: make another one first, or nobody could manage keys.',
      );
    return { id, revokedAt: iso(at) };
  }

  /** Makes sure that there is a key to begin with; see first-key.ts. */
  ensureFirstKey(options: { apiKey: string | null; keyFile: string }): Promise<FirstKey> {
    return ensureFirstKey(this.#store, options);
  }
}

/** Builds this room; on a first start with the operator's key, or with one of its own. */
export async function openAccess(parts: {
  store: Store;
  log: Log;
  bootId: string;
  apiKey: string | null;
  dataDir: string;
  idempotencySize: number;
  /** The service is for the operator's project alone. */
  oneProject?: true;
}): Promise<{
  access: Access;
  firstKey: FirstKey;
  idempotency: Idempotency;
  capabilities: Capabilities;
}> {
  const { store, log, bootId, apiKey, dataDir, idempotencySize, oneProject } = parts;
  const onlyProject = oneProject && (await store.projects.ensure(operatorsProject)).id;
  const access = new Access({ store, log, onlyProject });
  const firstKey = await access.ensureFirstKey({ apiKey, keyFile: join(dataDir, 'admin-key') });
  return {
    access,
    firstKey,
    idempotency: new Idempotency({ store, bootId, log, mostBytes: idempotencySize }),
    capabilities: new Capabilities({ store }),
  };
}
