/**
 * Jobs, their pages, and the addresses that a job knows:
 *
 *   jobs ──< job_pages   the frontier and the results in one: a row is queued, running, and at last a result with its `seq`
 *        ──< job_keys    which addresses were taken, by which page; a page that was redirected has two
 *
 * A job's webhook is a webhook that no list shows, and goes with its job.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../databases/databases.ts';

export const jobs = (kind: Kind): Migration => ({
  async up(db: Kysely<unknown>) {
    // Compared byte by byte, whatever the language of the server.
    const id = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
    await db.schema
      .createTable('jobs')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('project_id', id, (c) => c.notNull().references('projects.id'))
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('action', 'text')
      .addColumn('name', 'text')
      .addColumn('url', 'text')
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('request', 'text', (c) => c.notNull())
      .addColumn('concurrency', 'bigint', (c) => c.notNull())
      .addColumn('retries', 'bigint', (c) => c.notNull())
      .addColumn('most_pages', 'bigint')
      .addColumn('seeded', 'bigint', (c) => c.notNull())
      .addColumn('total', 'bigint', (c) => c.notNull())
      .addColumn('done', 'bigint', (c) => c.notNull())
      .addColumn('failed', 'bigint', (c) => c.notNull())
      .addColumn('skipped', 'bigint', (c) => c.notNull())
      .addColumn('remarks', 'text', (c) => c.notNull())
      .addColumn('error', 'text')
      .addColumn('webhook_id', id)
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('started_at', 'bigint')
      .addColumn('ended_at', 'bigint')
      .addColumn('removed_at', 'bigint')
      .execute();
    await db.schema.createIndex('jobs_list').on('jobs').columns(['project_id', 'created_at', 'id']).execute();
    await sql`create index jobs_active on jobs (created_at, id) where ended_at is null`.execute(db);
    await sql`create index jobs_ended on jobs (ended_at) where ended_at is not null`.execute(db);
    await sql`create index jobs_removed on jobs (removed_at) where removed_at is not null`.execute(db);
    await addPages(db, id);
    await sql`alter table webhooks add column job_id ${id} references jobs (id) on delete cascade`.execute(
      db,
    );
    await sql`create index webhooks_job on webhooks (job_id) where job_id is not null`.execute(db);
  },
});

async function addPages(db: Kysely<unknown>, id: ReturnType<typeof sql>): Promise<void> {
  await db.schema
    .createTable('job_pages')
    .addColumn('job_id', id, (c) => c.notNull().references('jobs.id').onDelete('cascade'))
    .addColumn('idx', 'bigint', (c) => c.notNull())
    .addColumn('url', 'text')
    .addColumn('depth', 'bigint')
    .addColumn('found_on', 'text')
    .addColumn('source', 'text')
    .addColumn('item', 'text')
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('attempts', 'bigint', (c) => c.notNull())
    .addColumn('deaths', 'bigint', (c) => c.notNull())
    .addColumn('not_before', 'bigint', (c) => c.notNull())
    .addColumn('boot_id', id)
    .addColumn('seq', 'bigint')
    .addColumn('final_url', 'text')
    .addColumn('status_code', 'bigint')
    .addColumn('from_cache', 'bigint', (c) => c.notNull())
    .addColumn('error', 'text')
    .addColumn('result', 'text')
    .addColumn('result_id', id)
    .addColumn('result_node', id)
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('file', 'text')
    .addColumn('finished_at', 'bigint')
    .addPrimaryKeyConstraint('job_pages_place', ['job_id', 'idx'])
    .execute();
  await sql`create index job_pages_queued on job_pages (job_id, idx) where status = 'queued'`.execute(db);
  await sql`create index job_pages_running on job_pages (job_id, boot_id) where status = 'running'`.execute(
    db,
  );
  await sql`create unique index job_pages_results on job_pages (job_id, seq) where seq is not null`.execute(
    db,
  );
  await db.schema
    .createTable('job_keys')
    .addColumn('job_id', id, (c) => c.notNull().references('jobs.id').onDelete('cascade'))
    .addColumn('key', id, (c) => c.notNull())
    .addColumn('idx', 'bigint', (c) => c.notNull())
    .addColumn('bucket', id)
    .addPrimaryKeyConstraint('job_keys_once', ['job_id', 'key'])
    .execute();
  await sql`create index job_keys_bucket on job_keys (job_id, bucket) where bucket is not null`.execute(db);
}
