/**
 * A browser that is ready on this node: the record's living half. It owns its Chromium and its slot; disposing it ends
 * the one, gives the other back and leaves the profile folder where it is.
 */
import { callAt } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { BrowserRecord, Store } from '../../store/records.ts';
import type { LiveBrowser } from '../live/live.ts';
import { type PermissionChange, type Slot, settingsIn } from '../record/record.ts';
import type { Browser } from '../record/schema.ts';
import { type Checkpoints, type HandoffSoFar, keepCheckpoints, type SavedState } from './checkpoint.ts';

export type { HandoffEnd, HandoffSoFar, SavedState } from './checkpoint.ts';
export { readState } from './checkpoint.ts';
export { fillAside, fillStorage } from './fill-storage.ts';
export { restoreState, savedStorage } from './restore.ts';
export { liveSnapshot, savedSnapshot } from './snapshot.ts';

export interface Running extends AsyncDisposable {
  readonly id: string;
  readonly projectId: string;
  readonly epoch: number;
  readonly live: LiveBrowser;
  /** Moved out of it when another Chromium takes its place. */
  readonly slot: Slot;
  readonly checkpoints: Checkpoints;
  readonly lastActionAt: number;
  /** Whether a secret was typed in it, and CDP clients are let in all the same. */
  readonly secrets: { typed: boolean; readonly allowCdp: boolean };
  /** Whether it waits for a person, as the room of the views last said; kept with its state. */
  readonly handoff: HandoffSoFar | undefined;
  keepHandoff(soFar: HandoffSoFar | undefined): void;
  /** Notes an action of the owner: the idle time starts anew. */
  acted(): void;
  setIdleTimeout(ms: number | null): void;
  /** It does not run any more, for whatever reason. */
  readonly left: AbortSignal;
  /** It was left because another node goes on with it. */
  readonly moved: boolean;
  /** Its end is intended: from now on an exit of Chromium is no crash. */
  leave(why?: 'moved'): void;
}

export interface RunningParts {
  store: Store;
  log: Log;
  checkpointIntervalMs: number;
  onCrash(running: Running): void;
  onIdle(running: Running): void;
  /** Its saved state is that of now. */
  onCheckpoint?(): void;
  /** Whether it waits for a person or is held by one. */
  handoffOf(running: Running): Browser['handoff'];
  /** A client changed what its pages may do. */
  onPermissions(running: Running, change: PermissionChange): Promise<void>;
}

/** A recovered browser that lives this long has made progress: its count of recoveries starts anew. */
const progressMs = 60_000;
/** One that was up for this long is not what the service died of. */
const innocentMs = 3_600_000;

function secretsIn(record: BrowserRecord): Running['secrets'] {
  const { secrets, secretTyped = false } = settingsIn(record);
  return { typed: secretTyped, allowCdp: secrets?.allowCdp ?? false };
}

export function run(
  parts: RunningParts,
  record: BrowserRecord,
  live: LiveBrowser,
  slot: Slot,
  saved?: SavedState,
): Running {
  const { id, projectId, epoch } = record;
  const left = new AbortController();
  let leaving = false;
  let moved = false;
  let lastActionAt = record.lastActionAt;
  let handoff = saved?.handoff;
  let offIdle: (() => void) | undefined;
  let idleTimeout: number | null = null;

  const checkpoints = keepCheckpoints({
    live,
    browserId: id,
    epoch,
    intervalMs: parts.checkpointIntervalMs,
    store: parts.store,
    log: parts.log,
    last: saved,
    handoff: () => handoff,
    onWritten: () => parts.onCheckpoint?.(),
    onSaved: (state) => {
      const patch = { tabs: state.tabs.length, lastActionAt, handoff: parts.handoffOf(running) ?? null };
      void parts.store.browsers.change(id, { epoch, status: 'ready' }, patch).catch(() => undefined);
    },
  });
  const armIdle = (): void => {
    offIdle?.();
    if (idleTimeout === null || leaving) return;
    const at = lastActionAt + idleTimeout;
    offIdle = callAt(at, () =>
      Date.now() >= lastActionAt + (idleTimeout ?? 0) ? parts.onIdle(running) : armIdle(),
    );
  };
  const forget = (count: 'recoveries' | 'serviceDeaths', afterMs: number): (() => void) =>
    record[count] === 0
      ? () => undefined
      : callAt(Date.now() + afterMs, () => {
          void parts.store.browsers.change(id, { epoch }, { [count]: 0 }).catch(() => undefined);
        });
  const offProgress = [forget('recoveries', progressMs), forget('serviceDeaths', innocentMs)];
  const running: Running = {
    id,
    projectId,
    epoch,
    live,
    slot,
    checkpoints,
    left: left.signal,
    secrets: secretsIn(record),
    get moved() {
      return moved;
    },
    get lastActionAt() {
      return lastActionAt;
    },
    get handoff() {
      return handoff;
    },
    keepHandoff(soFar) {
      handoff = soFar;
      checkpoints.dirty();
    },
    acted() {
      lastActionAt = Date.now();
      checkpoints.dirty();
    },
    setIdleTimeout(ms) {
      idleTimeout = ms;
      armIdle();
    },
    leave(why) {
      if (leaving) return;
      leaving = true;
      offIdle?.();
      for (const off of offProgress) off();
      live.dialogs.end();
      unwatch();
      moved = why === 'moved';
      left.abort();
    },
    async [Symbol.asyncDispose]() {
      using _freed = slot;
      running.leave();
      checkpoints.stop();
      await live.release();
    },
  };
  running.setIdleTimeout(record.idleTimeout);
  const unwatch = live.watch({
    touched: () => checkpoints.dirty(),
    storageChanged: (sessionId) => checkpoints.storageChanged(sessionId),
    permissionsChanged: (change) =>
      void parts.onPermissions(running, change).catch((error) => {
        parts.log.warn({ err: error, browserId: id }, 'permissions.not_noted');
      }),
  });
  void live.exited.then(() => {
    if (!leaving) parts.onCrash(running);
  });
  return running;
}
