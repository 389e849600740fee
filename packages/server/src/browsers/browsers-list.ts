/**
 * The browsers of a project, page by page: filtered, searched for words, or only those that concern a person. Which
 * those are the room of the views knows of this node's browsers; of the others', their records tell it, some seconds late.
 */
import { decodeCursor, encodeCursor } from '../kit/cursor.ts';
import { firstPage, type ListPage, pageOfList } from '../kit/page-of-list.ts';
import type { BrowserRecord, Store } from '../store/records.ts';
import { type BrowserStatus, statuses } from './record/record.ts';
import type { Browser, BrowserCounts } from './record/schema.ts';
import type { Running } from './running/running.ts';

export type HandoffState = NonNullable<Browser['handoff']>['state'];

export interface ListQuery {
  status?: BrowserStatus[];
  metadata?: Record<string, string>;
  /** Words that must all occur in the name, the metadata or the id. */
  search?: string;
  /** Only ready browsers in one of these states. */
  handoff?: HandoffState[];
  createdAfter?: number;
  createdBefore?: number;
  cursor?: string;
  limit: number;
}

/** Whether a browser waits for a person or is held by one. */
export interface Handoffs {
  of(running: Running): Browser['handoff'];
}

export async function listBrowsers(
  browsers: Store['browsers'],
  /** Of the browsers of the project that run, those in one of these states. */
  idsOf: (states: readonly HandoffState[]) => Promise<string[]>,
  projectId: string,
  { cursor, limit, search, handoff, ...given }: ListQuery,
  show: (record: BrowserRecord) => Browser,
): Promise<ListPage<Browser>> {
  const filter = {
    ...given,
    projectId,
    ...(handoff && (await concerned(idsOf, handoff, given.status))),
  };
  if (search === undefined)
    return pageOfList({ cursor, limit }, (page) => browsers.list({ ...filter, ...page }), show);
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  const found = await browsers.search({ ...filter, text: search, after, limit: limit + 1 });
  const page = firstPage(found, limit, encodeCursor, show);
  if (page.hasMore || !found.lookedTo) return page;
  return { ...page, hasMore: true, nextCursor: encodeCursor(found.lookedTo) };
}

async function concerned(
  idsOf: (states: readonly HandoffState[]) => Promise<string[]>,
  states: readonly HandoffState[],
  status: readonly BrowserStatus[] = [],
) {
  const isReady = status.length === 0 || status.includes('ready');
  return { status: ['ready'], ids: isReady ? await idsOf(states) : [] };
}

export function concernedHere(
  here: readonly Running[],
  handoffs: Handoffs,
  states: readonly HandoffState[],
): string[] {
  return here.filter((running) => isIn(states, handoffs.of(running))).map(({ id }) => id);
}

/** More than a person looks through; the newest come first. */
const mostElsewhere = 1000;

/** On the other nodes, as they told when they last saved the state of each. */
export async function concernedElsewhere(
  browsers: Store['browsers'],
  projectId: string,
  exceptHolder: string,
  states: readonly HandoffState[],
): Promise<string[]> {
  const told = await browsers.concerning(projectId, exceptHolder, mostElsewhere);
  return told.filter((record) => isIn(states, handoffTold(record))).map(({ id }) => id);
}

const isIn = (states: readonly HandoffState[], handoff: Browser['handoff']): boolean =>
  handoff !== undefined && states.includes(handoff.state);

/** By the node that runs it. */
export const handoffTold = ({
  status,
  handoff,
}: Pick<BrowserRecord, 'status' | 'handoff'>): Browser['handoff'] =>
  status === 'ready' ? ((handoff as Browser['handoff'] | null) ?? undefined) : undefined;

export async function countBrowsers(browsers: Store['browsers'], projectId: string): Promise<BrowserCounts> {
  const counts = await browsers.countOfProject(projectId);
  const status = Object.fromEntries(statuses.map((name) => [name, 0])) as BrowserCounts['status'];
  for (const { status: name, count } of counts) status[name as BrowserStatus] = count;
  return { total: counts.reduce((sum, { count }) => sum + count, 0), status };
}
