/** Which keys have sealed what the store keeps. */
export interface SealingTable {
  /**
   * Notes that the given keys are those of this process. Fails with the ids of the keys that are missing when something
   * here was sealed with others.
   */
  check(): Promise<void>;
  /** From this boot on, the node seals with the key that seals here. */
  join(nodeId: string): Promise<void>;
  /** Whether there may be values that are not sealed yet, from an older version. */
  hasUnsealed(): Promise<boolean>;
  /**
   * Seals every value with the key that seals now, in small steps beside the daily work. Afterwards nothing needs the
   * other keys. Returns how many values it changed; a signal ends it early, and the next one goes on.
   */
  reseal(signal?: AbortSignal): Promise<{ changed: number; finished: boolean }>;
  /** Nodes that have given a sign within that time, by the clock of the database, and seal with another key. */
  nodesWithOtherKey(withinMs: number): Promise<{ nodeId: string; keyId: string }[]>;
  /** Whether sealed archives lie in storage that nodes share: of saved profiles, or of browsers. */
  hasSharedArchives(): Promise<boolean>;
  /** Forgets all keys but the one that seals; only after a reseal that finished. Returns those that it forgot. */
  forgetOthers(): Promise<string[]>;
}
