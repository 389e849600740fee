/** Requests with an Idempotency-Key, so that a repetition gets the first answer. */
export interface IdempotencyRecord {
  projectId: string;
  key: string;
  /** SHA-256 over method, path and body. */
  fingerprint: string;
  /** The boot of the service that is answering it, or answered it. */
  bootId: string;
  /** What the request made, written in the transaction that made it. */
  resourceId: string | null;
  /** The answer, once there is one. */
  statusCode: number | null;
  body: string | null;
  createdAt: number;
}

export interface IdempotencyTable {
  /**
   * Undefined when this call now owns the key; otherwise the row that does. `full`: the key is new, and the answers that are kept
   * for the project have `mostBytes`, none of which is a refusal that could go.
   */
  claim(
    row: Pick<IdempotencyRecord, 'projectId' | 'key' | 'fingerprint' | 'bootId' | 'createdAt'>,
    mostBytes: number,
  ): Promise<IdempotencyRecord | 'full' | undefined>;
  get(projectId: string, key: string): Promise<IdempotencyRecord | undefined>;
  /** Takes an unanswered row over from a boot that is gone; false when it changed meanwhile. */
  takeOver(projectId: string, key: string, fromBootId: string, toBootId: string): Promise<boolean>;
  /** Only of the boot that has the row: one that was taken for dead meanwhile changes nothing. */
  complete(
    projectId: string,
    key: string,
    bootId: string,
    answer: { statusCode: number; body: string },
  ): Promise<void>;
  /** The same. */
  release(projectId: string, key: string, bootId: string): Promise<void>;
}
