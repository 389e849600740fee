/** Answers of quick actions that may be given again, each by a node that reaches its bytes. */

export interface CachedAnswerRecord {
  /** Of its bytes. */
  id: string;
  projectId: string;
  /** The node that has the bytes, or a word for storage that all nodes share. */
  nodeId: string;
  /** Says what was asked for without telling it. */
  key: string;
  /** The saved profile that the page began with. */
  profileId: string | null;
  madeAt: number;
  /** When the site last said that its page is still the same; at first, when it was made. */
  checkedAt: number;
  usedAt: number;
  size: number;
}

export interface CachedAnswerTable {
  /**
   * Takes the place of one with the same key; those that were not used for the longest go until the project has no more than
   * `mostBytes` at the same place. The bytes of what goes become loose, and their ids are returned. `taken`: another was faster.
   */
  insert(record: CachedAnswerRecord, mostBytes: number): Promise<{ dropped: string[] } | 'taken'>;
  /** The one of this key, which counts as used at this time. */
  use(
    place: { projectId: string; nodeId: string; key: string },
    at: number,
  ): Promise<CachedAnswerRecord | undefined>;
  /** The site said at this time that it is still the same; false when it is gone. */
  confirm(id: string, at: number): Promise<boolean>;
  /** The bytes of all that go become loose; the ids of those at these places are returned. */
  remove(id: string, places: readonly string[]): Promise<string[]>;
  removeOfProfile(profileId: string, places: readonly string[]): Promise<string[]>;
  removeUnchecked(places: readonly string[], before: number, limit: number): Promise<string[]>;
}
