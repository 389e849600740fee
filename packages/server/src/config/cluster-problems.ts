/** Settings of a cluster that cannot go together. */
import type { Settings } from './settings.ts';

export function clusterProblems(config: Settings): string[] {
  const problems: string[] = [];
  if (config.clusterAddress !== null && !/^postgres(ql)?:/.test(config.databaseUrl ?? ''))
    problems.push(
      'BROWSERD_CLUSTER_ADDRESS is set, and nodes of a cluster share a PostgreSQL database: set BROWSERD_DATABASE_URL=postgres://…, or leave BROWSERD_CLUSTER_ADDRESS out.',
    );
  if (config.clusterAddress !== null && config.blobs === null)
    problems.push(
      'BROWSERD_CLUSTER_ADDRESS is set, and nodes of a cluster share their files: set BROWSERD_BLOBS to a bucket (s3://…) or a shared folder, or leave BROWSERD_CLUSTER_ADDRESS out.',
    );
  if ((config.s3AccessKeyId === null) !== (config.s3SecretAccessKey === null))
    problems.push(
      'BROWSERD_S3_ACCESS_KEY_ID and BROWSERD_S3_SECRET_ACCESS_KEY belong together: give both or neither.',
    );
  return problems;
}
