/** Nodes of one cluster, all on this machine, for the parts that measure what several nodes cost and what they save. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../tests/support/cluster.ts';
import { startPostgres, type TestPostgres } from '../tests/support/postgres.ts';
import { type Bench, startBench } from './service.ts';

/** What the nodes of one cluster share. */
interface Shared extends AsyncDisposable {
  postgres: TestPostgres;
  blobs: string;
}

export async function openShared(): Promise<Shared> {
  const postgres = await startPostgres();
  const blobs = await mkdtemp(join(tmpdir(), 'browserd-bench-blobs-'));
  return {
    postgres,
    blobs,
    async [Symbol.asyncDispose]() {
      await rm(blobs, { recursive: true, force: true });
      await postgres.stop();
    },
  };
}

export async function startNode(
  { databaseUrl, blobs }: { databaseUrl: string; blobs: string },
  env: Record<string, string> = {},
): Promise<Bench> {
  return await startBench({
    BROWSERD_DATABASE_URL: databaseUrl,
    BROWSERD_BLOBS: blobs,
    BROWSERD_API_KEY: 'a-key-of-all-nodes-of-the-bench',
    BROWSERD_SECRET_KEY: '5a'.repeat(32),
    BROWSERD_CLUSTER_ADDRESS: `127.0.0.1:${await freePort()}`,
    ...env,
  });
}
