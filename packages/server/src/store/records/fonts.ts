/** Fonts of a project. Their bytes lie outside of the database. */
import type { Part } from '../../kit/page-of-list.ts';

export interface FontRecord {
  id: string;
  projectId: string;
  /** The node that has the bytes. */
  nodeId: string;
  createdAt: number;
  format: 'ttf' | 'otf' | 'ttc';
  /** What its fonts are called; opaque to the store. */
  faces: Record<string, unknown>[];
  size: number;
  sha256: string;
}

export interface FontTable {
  /**
   * Its bytes are no longer loose. Nothing is changed unless it answers `inserted`; a record is the one of the project with
   * the same bytes.
   */
  insert(
    record: FontRecord,
    options: { most: number; quotaBytes: number | null },
  ): Promise<'inserted' | 'tooMany' | 'overQuota' | FontRecord>;
  get(id: string, projectId: string): Promise<FontRecord | undefined>;
  /** Newest first. */
  list(query: {
    projectId: string;
    after?: { createdAt: number; id: string };
    limit: number;
  }): Promise<Part<FontRecord>>;
  /** Of all fonts of the project, in one order; asked for each page that a quick action opens. */
  ofProject(projectId: string): Promise<Pick<FontRecord, 'id' | 'format'>[]>;
  /** Its bytes become loose. */
  remove(id: string, projectId: string): Promise<boolean>;
}
