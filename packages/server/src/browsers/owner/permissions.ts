/**
 * The permissions of a browser, for its owner. A change is made to the running Chromium first, which may refuse it,
 * then to the record; both in the browser's turn, so that of two callers neither loses a change. What scripts and
 * other clients change past the API is noted in the same turn.
 */
import { isDeepStrictEqual } from 'node:util';
import type { KeyedMutex } from '../../kit/mutex.ts';
import type { BrowserRecord, Expected, Store } from '../../store/records.ts';
import { isOver, notReady } from '../life/life.ts';
import type { ClearPermissions, SetPermissions } from '../record/permission-schema.ts';
import {
  applyAll,
  applyPermissions,
  canonicalOrigin,
  canonicalPermissions,
  changed,
  invalid,
  type PermissionChange,
  type Permissions,
  permissionsIn,
  settingsIn,
} from '../record/record.ts';
import type { Running } from '../running/running.ts';

export interface OwnerPermissions {
  get(projectId: string, id: string): Promise<Permissions>;
  set(projectId: string, id: string, input: SetPermissions): Promise<Permissions>;
  clear(projectId: string, id: string, input: ClearPermissions): Promise<Permissions>;
}

export interface OwnerPermissionsParts {
  store: Store;
  /** Shared with all that changes settings. */
  turn: KeyedMutex;
  find(projectId: string, id: string): Promise<BrowserRecord>;
  running(id: string): Running | undefined;
}

const mostOrigins = 100;

export class PermissionKeeper implements OwnerPermissions {
  readonly #parts: OwnerPermissionsParts;

  constructor(parts: OwnerPermissionsParts) {
    this.#parts = parts;
  }

  get(projectId: string, id: string): Promise<Permissions> {
    return this.#parts.turn.run(id, async () => {
      const record = await this.#parts.find(projectId, id);
      if (isOver(record)) throw notReady(record);
      return permissionsIn(record);
    });
  }

  set(projectId: string, id: string, input: SetPermissions): Promise<Permissions> {
    return this.#change(projectId, id, () => ({
      kind: 'set',
      permissions: canonicalPermissions(input.permissions),
      origin: input.origin === undefined ? undefined : canonicalOrigin(input.origin),
    }));
  }

  clear(projectId: string, id: string, { origin }: ClearPermissions): Promise<Permissions> {
    return this.#change(projectId, id, () => ({
      kind: 'clear',
      origin: origin === undefined ? undefined : canonicalOrigin(origin),
    }));
  }

  /** A client has changed what its Chromium allows. */
  note(running: Running, change: PermissionChange): Promise<void> {
    const { id, epoch, projectId } = running;
    return this.#parts.turn.run(id, async () => {
      const record = await this.#parts.find(projectId, id);
      const before = permissionsIn(record);
      const after = changed(before, change);
      if (isDeepStrictEqual(before, after) || Object.keys(after.origins).length > mostOrigins) return;
      // The browser may have been stopped meanwhile, but another Chromium has permissions of its own.
      await this.#store(record, after, { epoch, status: ['ready', 'stopping', 'stopped'] });
    });
  }

  async #change(projectId: string, id: string, read: () => PermissionChange): Promise<Permissions> {
    await this.#parts.find(projectId, id);
    const change = read();
    return this.#parts.turn.run(id, async () => {
      for (;;) {
        const record = await this.#parts.find(projectId, id);
        // A browser between two statuses may have read its permissions already, or not yet; in these two it is certain.
        if (record.status !== 'ready' && record.status !== 'stopped') throw notReady(record);
        const after = await this.#attempt(record, change);
        if (after) return after;
      }
    });
  }

  /** Undefined: the browser has moved on meanwhile. */
  async #attempt(record: BrowserRecord, change: PermissionChange): Promise<Permissions | undefined> {
    const before = permissionsIn(record);
    const after = changed(before, change);
    if (Object.keys(after.origins).length > mostOrigins)
      throw invalid(
        ['origin'],
        `is one too many: a browser keeps permissions of ${mostOrigins} origins. Clear some.`,
      );
    const cdp = this.#parts.running(record.id)?.live.chromium.cdp;
    try {
      if (cdp && change.kind === 'set') await applyPermissions(cdp, change.permissions, change.origin);
      else if (cdp) await applyAll(cdp, after, true);
      const { status, epoch } = record;
      return (await this.#store(record, after, { status, epoch })) && after;
    } catch (error) {
      if (cdp) await applyAll(cdp, before, true).catch(() => undefined);
      throw error;
    }
  }

  #store(
    record: BrowserRecord,
    { permissions, origins }: Permissions,
    expected: Expected,
  ): Promise<BrowserRecord | undefined> {
    const settings = { ...settingsIn(record), permissions, originPermissions: origins };
    return this.#parts.store.browsers.change(record.id, expected, { settings });
  }
}
