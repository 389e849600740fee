/** Extensions of a project. Their packages lie outside of the database; which browsers use one is kept, so that it stays. */
import type { Part } from '../../kit/page-of-list.ts';

export interface ExtensionRecord {
  id: string;
  projectId: string;
  /** The node that has the bytes. */
  nodeId: string;
  createdAt: number;
  name: string;
  version: string;
  /** The id that Chromium gives it. */
  chromiumId: string;
  /** The public key that this id comes of, in base64. */
  publicKey: string;
  /** What its manifest asks for; opaque to the store. */
  manifest: Record<string, unknown>;
  size: number;
  sha256: string;
}

export interface ExtensionTable {
  /** Its bytes are no longer loose. Nothing is changed unless it answers `inserted`. */
  insert(
    record: ExtensionRecord,
    options: { most: number; quotaBytes: number | null },
  ): Promise<'inserted' | 'tooMany' | 'overQuota'>;
  get(id: string, projectId: string): Promise<ExtensionRecord | undefined>;
  /** Newest first. */
  list(query: {
    projectId: string;
    after?: { createdAt: number; id: string };
    limit: number;
  }): Promise<Part<ExtensionRecord>>;
  /** Its bytes become loose, unless a browser that is not over uses it. */
  remove(id: string, projectId: string): Promise<'removed' | 'gone' | { heldBy: string }>;
}
