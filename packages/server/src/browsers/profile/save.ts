/** What a browser saves into the profile that it was created to write. A save that fails costs neither the profile nor the stop. */
import { ApiError } from '../../errors.ts';
import type { Events } from '../../events/events.ts';
import type { Log } from '../../kit/log.ts';
import type { Captured, Profiles } from '../../profiles/profiles.ts';
import type { BrowserRecord, Store } from '../../store/records.ts';
import { eventOf, permissionsIn, settingsIn } from '../record/record.ts';
import { type SavedState, savedStorage } from '../running/running.ts';

export interface SaveParts {
  store: Store;
  events: Events;
  saved: Profiles;
  log: Log;
}

/** The folder of a Chromium that has ended, and whether by itself; without one, what was saved while it runs. */
export type Ended = Pick<Captured, 'folder' | 'endedWell'>;

export function writes(record: BrowserRecord): { id: string; save: 'close' | 'always' } | undefined {
  const { profile } = settingsIn(record);
  return profile?.save ? { id: profile.id, save: profile.save } : undefined;
}

/** Undefined while nothing of it was saved: then there is nothing to know of it. */
export async function captured(
  store: Store,
  record: BrowserRecord,
  ended: Ended,
): Promise<Captured | undefined> {
  const checkpoint = await store.checkpoints.get(record.id);
  if (!checkpoint) return undefined;
  const state = checkpoint.data as unknown as SavedState;
  return {
    ...ended,
    cookies: state.cookies,
    permissions: permissionsIn(record),
    storage: () => savedStorage(store, record.id, state),
  };
}

/** The version that holds its state now; undefined when it writes none, or could not. */
export async function saveProfile(
  parts: SaveParts,
  record: BrowserRecord,
  ended: Ended,
): Promise<{ id: string; version: number } | undefined> {
  const wanted = writes(record);
  // One that never was ready has nothing that the profile does not have.
  if (!wanted || record.readyAt === null) return undefined;
  const { id: browserId, projectId, epoch } = record;
  try {
    const state = await captured(parts.store, record, ended);
    if (!state) return undefined;
    const writer = { profileId: wanted.id, projectId, browserId, epoch };
    const { version } = await parts.saved.versions.save(writer, state);
    return { id: wanted.id, version };
  } catch (error) {
    const reason = error instanceof ApiError ? error.message : 'an internal fault; the log has it';
    const code = error instanceof ApiError ? error.code : 'INTERNAL';
    parts.log.error({ err: error, browserId, profileId: wanted.id }, 'profile.save_failed');
    parts.events.note(eventOf(record, 'profile.save_failed', { profileId: wanted.id, code, reason }));
    return undefined;
  }
}

/** It saves into its profile no more. */
export async function leaveProfile({ saved, log }: SaveParts, record: BrowserRecord): Promise<void> {
  const wanted = writes(record);
  if (!wanted) return;
  // A database that is away leaves it to the next look at those that are over.
  await saved
    .release(wanted.id, record.id)
    .catch((error: unknown) => log.warn({ err: error, browserId: record.id }, 'profile.not_released'));
}
