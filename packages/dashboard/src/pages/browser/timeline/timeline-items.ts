/**
 * Events become lines: a start and its end are one line with a duration, and repetitions are one line with a count.
 *
 *   script.started … script.completed     → Script ran, 1.2 s
 *   policy.blocked × 7, same address      → Refused: blocked domain ×7
 */
import type { api } from '@browserd/sdk';
import type { RequestsView } from '../network-address.ts';
import { describeEvent, type EventText } from './event-text.ts';
import { requestsOf } from './requests-of.ts';

export interface TimelineItem extends EventText {
  /** The id of its first event. */
  key: string;
  type: api.EventType;
  at: number;
  /** Set when it took time and is over. */
  endedAt?: number;
  count: number;
  /** What a run of a script left. */
  files?: { traceFileId?: string; bundleFileId?: string };
  /** What of the log of requests belongs to it. */
  requests?: RequestsView;
}

/** Oldest first, in and out. */
export function timelineItems(events: readonly api.Event[]): TimelineItem[] {
  const items: TimelineItem[] = [];
  const open = new Map<string, TimelineItem>();
  for (const event of events) {
    const at = Date.parse(event.at);
    const thread = threadOf(event);
    const begun = thread && open.get(thread.name);
    if (begun && thread.ends) {
      Object.assign(begun, describeEvent(event), { type: event.type, endedAt: at, ...filesOf(event) });
      open.delete(thread.name);
      continue;
    }
    const requests = requestsOf(event);
    const about = { ...describeEvent(event), ...filesOf(event), ...(requests && { requests }) };
    const item: TimelineItem = { key: event.id, type: event.type, at, count: 1, ...about };
    const before = items.at(-1);
    if (before && !thread && repeats(before, item)) before.count++;
    else items.push(item);
    if (thread && !thread.ends) open.set(thread.name, item);
  }
  return items;
}

const idOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function filesOf({ data }: api.Event): Pick<TimelineItem, 'files'> {
  const [traceFileId, bundleFileId] = [idOf(data.traceFileId), idOf(data.bundleFileId)];
  if (!traceFileId && !bundleFileId) return {};
  return { files: { ...(traceFileId && { traceFileId }), ...(bundleFileId && { bundleFileId }) } };
}

const repeats = (before: TimelineItem, item: TimelineItem): boolean =>
  before.type === item.type && before.says === item.says && before.about === item.about;

interface Thread {
  name: string;
  ends: boolean;
}

/** Events of one thread belong together. Scripts of one browser run one at a time. */
function threadOf({ type, data }: api.Event): Thread | undefined {
  const [group, moment] = type.split('.') as [string, string];
  if (group === 'script') return { name: 'script', ends: moment !== 'started' };
  if (group === 'download') return { name: String(data.downloadId), ends: moment !== 'started' };
  if (group === 'dialog' && data.id !== undefined)
    return { name: String(data.id), ends: moment === 'closed' };
  return undefined;
}
