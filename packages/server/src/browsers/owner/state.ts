/** What there is of a browser, for a profile that begins with it. The browser moves on only when that is done. */
import type { KeyedMutex } from '../../kit/mutex.ts';
import type { Captured } from '../../profiles/profiles.ts';
import type { BrowserRecord, Store } from '../../store/records.ts';
import type { ProfileFolders } from '../disk/disk.ts';
import { notReady } from '../life/life.ts';
import { captured } from '../profile/profile.ts';
import type { Running } from '../running/running.ts';
import type { Vault } from '../vault/vault.ts';

export interface OwnerState {
  /** Of a ready or a stopped browser. */
  use<T>(projectId: string, id: string, work: (state: Captured) => Promise<T>): Promise<T>;
}

export function ownerState(parts: {
  store: Store;
  profiles: ProfileFolders;
  vault?: Vault | undefined;
  turn: KeyedMutex;
  find(projectId: string, id: string): Promise<BrowserRecord>;
  running(id: string): Running | undefined;
}): OwnerState {
  const { store, profiles, vault, turn, find } = parts;
  /** Of one that runs, without its files, which change under the hand; of one that is stopped, with them. */
  const stateOf = async (record: BrowserRecord, borrowed?: string): Promise<Captured | undefined> => {
    if (record.status === 'stopped') {
      const folder = borrowed ?? (await profiles.find(record.id));
      return captured(store, record, folder ? { folder, endedWell: true } : {});
    }
    const running = parts.running(record.id);
    if (record.status !== 'ready' || !running) return undefined;
    await running.checkpoints.save();
    return captured(store, record, {});
  };
  return {
    async use(projectId, id, work) {
      await find(projectId, id);
      return turn.run(id, async () => {
        const record = await find(projectId, id);
        await using borrowed = record.status === 'stopped' ? await vault?.borrow(record) : undefined;
        const state = await stateOf(record, borrowed?.folder);
        if (!state) throw notReady(record);
        return await work(state);
      });
    },
  };
}
