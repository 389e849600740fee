/**
 * A browser that went on elsewhere, or was closed there, leaves its folder on this disk: the other node cannot remove it. This
 * one looks by itself, because a profile must not outlive its browser.
 */
import type { Log } from '../../kit/log.ts';
import type { KeyedMutex } from '../../kit/mutex.ts';
import type { Store } from '../../store/records.ts';
import type { ProfileFolders } from '../disk/disk.ts';

export interface LeftoverParts {
  store: Store;
  profiles: ProfileFolders;
  log: Log;
  nodeId: string;
  bootId: string;
  /** Held while anything is under way with a browser here. */
  turn: KeyedMutex;
}

const usualLookMs = 60_000;
/** A statement takes so many ids. */
const idsAtOnce = 500;

export function removeLeftovers(parts: LeftoverParts, lookMs = usualLookMs): AsyncDisposable {
  const { store, profiles, log, nodeId, bootId, turn } = parts;
  const notHere = (ids: readonly string[]) => store.vaults.notAtHome(ids, { nodeId, bootId });
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const ids = await profiles.browserIds();
    for (let start = 0; start < ids.length; start += idsAtOnce)
      for (const id of await notHere(ids.slice(start, start + idsAtOnce)))
        await turn.run(id, async () => {
          // It may have come back meanwhile.
          if ((await notHere([id])).length > 0) await profiles.forget(id);
        });
  };
  let looking: Promise<void> = Promise.resolve();
  const arm = (): void => {
    timer = setTimeout(() => {
      looking = look()
        .catch((error: unknown) => log.warn({ err: error }, 'vault.leftovers_stay'))
        .finally(() => {
          if (timer) arm();
        });
    }, lookMs).unref();
  };
  arm();
  return {
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      timer = undefined;
      await looking;
    },
  };
}
