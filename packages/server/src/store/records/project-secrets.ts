/** Secrets of a project, which the service types into pages. Their content is sealed in the table. */
import type { Part } from '../../kit/page-of-list.ts';

export interface ProjectSecretRecord {
  id: string;
  projectId: string;
  /** Unique in the project. */
  name: string;
  kind: 'value' | 'totp';
  /** Where it may be typed. */
  origins: string[];
  metadata: Record<string, string>;
  /** Opaque to the store. */
  content: string;
  /** Room that masking it takes; 0 where an older version stored it. */
  formBytes: number;
  createdAt: number;
  updatedAt: number;
  lastUsedAt: number | null;
}

export interface ProjectSecretTable {
  /** False when the project has one of this name; nothing is changed then. */
  insert(record: ProjectSecretRecord): Promise<boolean>;
  get(id: string, projectId: string): Promise<ProjectSecretRecord | undefined>;
  named(projectId: string, name: string): Promise<ProjectSecretRecord | undefined>;
  totals(projectId: string): Promise<{ count: number; formBytes: number }>;
  /** Newest first. */
  list(query: {
    projectId: string;
    after?: { createdAt: number; id: string };
    limit: number;
  }): Promise<Part<ProjectSecretRecord>>;
  change(
    id: string,
    projectId: string,
    patch: Partial<Omit<ProjectSecretRecord, 'id' | 'projectId' | 'name' | 'createdAt'>>,
  ): Promise<ProjectSecretRecord | undefined>;
  remove(id: string, projectId: string): Promise<boolean>;
  /** Those of all projects that were used since they have their content, after the time `since`: a page of them, by their ids. */
  used(query: { since: number; after: string; limit: number }): Promise<ProjectSecretRecord[]>;
}
