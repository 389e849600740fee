/** A job that is not over, held and changed within a transaction. What is changed by another is not seen before that ends. */
import type { Kysely } from 'kysely';
import type { Database, Kind } from '../databases/databases.ts';
import type { DeliveryRecord, JobProblem, JobSummary, TellOfJob } from '../records.ts';
import { insertDeliveries } from './deliveries.ts';
import { hasRoom } from './delivery-room.ts';
import { appendEvents } from './events.ts';
import { addRemarks } from './job-frontier.ts';
import { jobShape, summaryColumns } from './job-row.ts';

/** Held until the end of the transaction; undefined: it is over, or gone. */
export async function holdActive(
  trx: Kysely<Database>,
  kind: Kind,
  id: string,
): Promise<JobSummary | undefined> {
  const row = await trx
    .selectFrom('jobs')
    .select(summaryColumns)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .$if(kind === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();
  return row && jobShape.toRecord(row);
}

export async function write(
  trx: Kysely<Database>,
  kind: Kind,
  job: JobSummary,
  patch: Partial<JobSummary>,
  tell?: TellOfJob,
): Promise<JobSummary> {
  await trx.updateTable('jobs').set(jobShape.toPatch(patch)).where('id', '=', job.id).execute();
  const changed = { ...job, ...patch };
  if (!tell) return changed;
  const { event, delivery } = tell(changed);
  if (delivery) await deliver(trx, changed, delivery);
  // last, as all events are
  await appendEvents(trx, kind, [event]);
  return changed;
}

const untold: JobProblem = {
  code: 'webhook_dropped',
  message:
    'The webhook of the job was not told of its end: too many messages of the project wait for receivers that do not take them.',
};

async function deliver(trx: Kysely<Database>, job: JobSummary, delivery: DeliveryRecord): Promise<void> {
  if (await hasRoom(trx, job.projectId)) return insertDeliveries(trx, [delivery]);
  addRemarks(job, [untold]);
  const { remarks } = job;
  await trx.updateTable('jobs').set(jobShape.toPatch({ remarks })).where('id', '=', job.id).execute();
}
