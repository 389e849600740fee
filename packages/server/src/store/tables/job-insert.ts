/**
 * A job comes into the database with the pages that it begins with:
 *
 *   items sealed ──> the job, hidden, with some pages ──> more pages, transaction by transaction ──> seen, with its webhook and key
 *
 * SQLite has one connection for all, and works in the thread of the service: a transaction of ten thousand pages would hold up
 * every caller, also one that leaves the thread to others now and then. So each has a few pages, and a job with no more than those
 * is written in one. Until its last page is in, a job looks ended to the schedulers, and is in no list.
 */
import type { Kysely } from 'kysely';
import { ApiError } from '../../errors.ts';
import type { Sealing } from '../../sealing/sealing.ts';
import { attempt, type Database, inTransaction, type SealedConnection } from '../databases/databases.ts';
import type { FirstJobPage, JobRecord, Store } from '../records.ts';
import { occupy } from './artifacts.ts';
import { noteResource } from './idempotency.ts';
import { pagesAtOnce, turnOfPiece } from './job-frontier.ts';
import { bytesOf, bytesOfPage, countOpen } from './job-room.ts';
import { pageRow, sealItem, sealJob } from './job-row.ts';
import { sealWebhook } from './webhook-row.ts';

type Options = Parameters<Store['jobs']['insert']>[1];

/** What one transaction adds. */
interface Piece {
  pages: Database['job_pages'][];
  keys: Database['job_keys'][];
  bytes: number;
}

/** It is told of its job alone, by the job: of no event is it behind. */
const pastAllEvents = Number.MAX_SAFE_INTEGER;
/** Of texts, in one transaction; one page may have more. */
const bytesAtOnce = 1024 * 1024;

/** Each of its transactions is an attempt of its own. */
export function insertJob(connection: SealedConnection, writing: Set<string>): Store['jobs']['insert'] {
  const { sealing } = connection;
  return async (record, options) => {
    const pieces = await piecesOf(sealing, record, options.pages);
    const row = await sealJob(sealing, { ...record, total: options.pages.length });
    const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, bytesOf(row.request, row.url, row.name));
    const [first, ...more] = pieces;
    const isWhole = more.length === 0;
    const hidden = { maker: options.bootId, ended_at: record.createdAt };
    const begin = () =>
      inTransaction(connection, async (trx) => {
        // This holds the row of the project's bytes: of two jobs that come at once, the second counts the first.
        if (!(await occupy(trx, record.projectId, bytes, options.quotaBytes))) return 'overQuota';
        if ((await countOpen(trx, record.projectId)) >= options.most) {
          await occupy(trx, record.projectId, -bytes, null);
          return 'tooMany';
        }
        const made = { ...row, bytes, ...(isWhole ? { maker: null } : hidden) };
        await trx.insertInto('jobs').values(made).execute();
        if (first) await add(trx, first);
        if (isWhole) await finish(trx, sealing, record, options);
        return 'inserted';
      });
    writing.add(record.id);
    try {
      const begun = await attempt(begin);
      if (begun === 'inserted' && !isWhole) await goOn(connection, record, options, more);
      return begun;
    } finally {
      writing.delete(record.id);
    }
  };
}

async function goOn(
  connection: SealedConnection,
  record: JobRecord,
  options: Options,
  pieces: readonly Piece[],
): Promise<void> {
  const { db, sealing } = connection;
  const { id } = record;
  const { bootId } = options;
  /** With the last of them, in one transaction. */
  const addNext = (piece: Piece, isLast: boolean): Promise<void> =>
    inTransaction(connection, async (trx) => {
      const mine = await trx
        .updateTable('jobs')
        .set(isLast ? { maker: null, ended_at: null } : { maker: bootId })
        .where('id', '=', id)
        .where('maker', '=', bootId)
        .returning('id')
        .executeTakeFirst();
      if (!mine) throw takenForLost();
      await add(trx, piece);
      if (isLast) await finish(trx, sealing, record, options);
    });
  try {
    for (const [n, piece] of pieces.entries()) {
      await turnOfPiece(record.projectId);
      await attempt(() => addNext(piece, n === pieces.length - 1));
    }
  } catch (error) {
    const left = db.updateTable('jobs').set({ maker: null, removed_at: record.createdAt });
    // A database that is away keeps it hidden, until this boot or the next one looks for what was left.
    await left
      .where('id', '=', id)
      .where('maker', '=', bootId)
      .execute()
      .catch(() => undefined);
    throw error;
  }
}

async function add(trx: Kysely<Database>, { pages, keys }: Piece): Promise<void> {
  if (pages.length > 0) await trx.insertInto('job_pages').values(pages).execute();
  if (keys.length > 0) await trx.insertInto('job_keys').values(keys).execute();
}

/** From here on the job is there, and the key of its request stands for it. */
async function finish(
  trx: Kysely<Database>,
  sealing: Sealing,
  { id, projectId }: JobRecord,
  { webhook, idempotencyKey: key, bootId }: Options,
): Promise<void> {
  if (webhook) {
    const placed = { ...webhook, jobId: id, place: pastAllEvents };
    await trx.insertInto('webhooks').values(sealWebhook(sealing, placed)).execute();
  }
  if (key !== undefined) await noteResource(trx, { projectId, key, bootId }, id);
}

async function piecesOf(
  sealing: Sealing,
  { id: jobId, projectId }: JobRecord,
  pages: readonly FirstJobPage[],
): Promise<Piece[]> {
  const pieces: Piece[] = [];
  let piece: Piece | undefined;
  for (const [idx, page] of pages.entries()) {
    if (!piece || piece.pages.length === pagesAtOnce || piece.bytes >= bytesAtOnce) {
      if (piece) await turnOfPiece(projectId);
      piece = { pages: [], keys: [], bytes: 0 };
      pieces.push(piece);
    }
    const row = pageRow(jobId, idx, page, { item: await sealItem(sealing, jobId, idx, page.item) });
    piece.pages.push(row);
    piece.bytes += bytesOfPage(row, page.key);
    if (page.key !== null) piece.keys.push({ job_id: jobId, key: page.key, idx, bucket: null });
  }
  return pieces;
}

const takenForLost = (): ApiError =>
  new ApiError(
    'STORE_UNAVAILABLE',
    'This node was taken for lost while it wrote the job, so nothing of it was kept. Try again.',
  );
