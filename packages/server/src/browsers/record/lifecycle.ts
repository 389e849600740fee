/**
 * The nine statuses of a browser and the only ways between them.
 *
 *            ┌────────── stop ──────────┐
 * creating → ready → stopping → stopped → resuming → ready
 *              ↕ crash / restart      ↑  ↑───────┘ its profile cannot be read now
 *          recovering ────────────────┘   any but closed → closing → closed
 *                        its profile cannot be handed over now
 */
export const statuses = [
  'creating',
  'ready',
  'stopping',
  'stopped',
  'resuming',
  'recovering',
  'closing',
  'closed',
  'failed',
] as const;

export type BrowserStatus = (typeof statuses)[number];

const ways: Record<BrowserStatus, readonly BrowserStatus[]> = {
  creating: ['ready', 'failed', 'closing'],
  ready: ['stopping', 'recovering', 'closing'],
  stopping: ['stopped', 'closing'],
  stopped: ['resuming', 'closing'],
  resuming: ['ready', 'stopped', 'failed', 'closing'],
  recovering: ['ready', 'stopped', 'failed', 'closing'],
  closing: ['closed'],
  closed: [],
  failed: ['closing'],
};

export const mayBecome = (from: BrowserStatus, to: BrowserStatus): boolean => ways[from].includes(to);

/** The statuses from which `to` may be entered: what a compare-and-set on the status expects. */
export const waysInto = (to: BrowserStatus): BrowserStatus[] =>
  statuses.filter((from) => ways[from].includes(to));

const occupying: readonly string[] = ['creating', 'ready', 'stopping', 'resuming', 'recovering', 'closing'];

/** Whether a browser in this status holds, or is about to hold, a Chromium process. */
export const isOccupying = (status: string): boolean => occupying.includes(status);

/** What a caller that needs a ready browser should do when it finds it in this status. */
export function nextStepOf(status: BrowserStatus): 'wait' | 'resume_browser' | 'create_browser' {
  if (status === 'stopped') return 'resume_browser';
  if (status === 'closing' || status === 'closed' || status === 'failed') return 'create_browser';
  return 'wait';
}
