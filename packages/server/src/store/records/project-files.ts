/** Files of a project, which outlive the call that made them. Their bytes lie outside of the database. */

export interface ProjectFileRecord {
  id: string;
  projectId: string;
  /** The node that has the bytes. */
  nodeId: string;
  /** The job that made it, with which it goes. */
  jobId: string | null;
  /** What made it. */
  source: string;
  name: string;
  mimeType: string;
  size: number;
  /** Of the bytes, hex. */
  sha256: string;
  createdAt: number;
  /** From then on there is none; null: until it is deleted. */
  expiresAt: number | null;
}

export interface ProjectFileTable {
  /**
   * All or none; their bytes are no longer loose. What a request with an Idempotency-Key made is noted with it, so that the
   * boot that takes the request over finds it. A quota of null is none.
   */
  insert(
    records: readonly ProjectFileRecord[],
    options: { quotaBytes: number | null; idempotency?: { key: string; bootId: string } },
  ): Promise<'inserted' | 'overQuota'>;
  /** Undefined also for one whose time was over at `now`. */
  get(id: string, of: { projectId: string; now: number }): Promise<ProjectFileRecord | undefined>;
  /** Newest first, without those whose time was over at `now`. */
  list(query: {
    projectId: string;
    now: number;
    source?: string;
    jobId?: string;
    after?: { createdAt: number; id: string };
    limit: number;
  }): Promise<ProjectFileRecord[]>;
  /** The record goes, its bytes become loose. False when there is none. */
  remove(id: string, projectId: string): Promise<boolean>;
  /** As `remove`, some of those of a job; returns their ids, none when all are gone. */
  removeOfJob(jobId: string, projectId: string, limit: number): Promise<string[]>;
  /** As `remove`, some of those whose time was over at `now`, of all projects; returns how many. */
  removeExpired(now: number, limit: number): Promise<number>;
}
