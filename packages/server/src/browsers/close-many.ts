/** Closes many browsers, a few at a time: ending a Chromium takes the machine's time, and others are served meanwhile. */
import { ApiError } from '../errors.ts';
import type { Browsers } from './browsers-on-node.ts';
import { type ClosedMany, type CloseMany, mostClosedAtOnce } from './record/close-many-schema.ts';
import { statuses } from './record/record.ts';

const atOnce = 4;
const pageSize = 100;
const open = statuses.filter((status) => status !== 'closing' && status !== 'closed');

export async function closeMany(
  browsers: Pick<Browsers, 'get' | 'list' | 'close'>,
  projectId: string,
  which: CloseMany,
): Promise<ClosedMany> {
  const answer: ClosedMany = { closed: [], failed: [], hasMore: false };
  const { found, hasMore } = which.ids
    ? { found: await named(browsers, projectId, which, answer), hasMore: false }
    : await matching(browsers, projectId, which);
  const waiting = found.values();
  const worker = async (): Promise<void> => {
    for (const id of waiting)
      try {
        answer.closed.push(await browsers.close(projectId, id));
      } catch (error) {
        answer.failed.push(failureOf(id, error));
      }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { ...answer, hasMore };
}

const failureOf = (id: string, error: unknown): ClosedMany['failed'][number] => {
  if (!(error instanceof ApiError)) throw error;
  return { id, code: error.code, message: error.message };
};

/** Of those that are named, the ones that the rest fits. */
async function named(
  browsers: Pick<Browsers, 'get'>,
  projectId: string,
  { ids = [], status, metadata = {} }: CloseMany,
  answer: ClosedMany,
): Promise<string[]> {
  const fitting: string[] = [];
  for (const id of new Set(ids))
    try {
      const browser = await browsers.get(projectId, id);
      const fits =
        (!status || status.some((each) => each === browser.status)) &&
        Object.entries(metadata).every(([key, value]) => browser.metadata[key] === value);
      if (fits) fitting.push(id);
    } catch (error) {
      answer.failed.push(failureOf(id, error));
    }
  return fitting;
}

/** All are found before the first is closed: the list would change under the cursor. */
async function matching(
  browsers: Pick<Browsers, 'list'>,
  projectId: string,
  { status = open, metadata }: CloseMany,
): Promise<{ found: string[]; hasMore: boolean }> {
  const found: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await browsers.list(projectId, { status, metadata, cursor, limit: pageSize });
    found.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
    if (!cursor || found.length >= mostClosedAtOnce)
      return { found: found.slice(0, mostClosedAtOnce), hasMore: cursor !== undefined };
  }
}
