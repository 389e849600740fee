/** Which bytes are the packed profile of a browser. The bytes lie elsewhere; what is in force is what its record points to. */
export interface VaultTable {
  /**
   * Points the record to these bytes, which are no longer loose; those before become loose in the same transaction. Undefined,
   * and nothing is changed, when the browser has moved on to another epoch or is over.
   */
  point(
    of: { browserId: string; epoch: number },
    /** `major`: of the Chromium of this engine that wrote it. */
    to: { id: string; at: number; place: string; engine: string; major: number | null },
  ): Promise<{ before: string | null } | undefined>;
  /** It has none any more: they become loose. Returns their id. */
  drop(browserId: string, place: string): Promise<string | undefined>;
  /** Of these browsers, those that are closed, or have their home elsewhere and are not held by this boot. */
  notAtHome(ids: readonly string[], on: { nodeId: string; bootId: string }): Promise<string[]>;
}
