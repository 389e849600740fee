/** What browsers keep beside themselves. The bytes lie outside of the database; `loose` ones have no record that refers to them. */
import type { NewEvent } from './events.ts';

/** The names are also the prefixes of their ids. */
export type ArtifactKind = 'file' | 'download' | 'recording';

/** A file that a browser made or was given. The store does not hold its bytes. */
export interface ArtifactRecord {
  id: string;
  projectId: string;
  browserId: string;
  /** The node that has the bytes, or makes them; or a word for storage that all nodes share. */
  nodeId: string;
  kind: ArtifactKind;
  /** In the words of its kind; `ready` for a file. */
  state: string;
  /** The boot of the node that is still making it; null once it is finished. */
  bootId: string | null;
  /** Where it came from, in the words of its kind. */
  source: string;
  name: string;
  mimeType: string;
  size: number;
  /** Of the bytes, hex. */
  sha256: string;
  /** What only its kind has; opaque to the store. */
  details: Record<string, unknown>;
  createdAt: number;
}

/** Who looks for loose bytes, and where. */
export interface LooseBytes {
  /** As in the records of the bytes: a node, or a word for storage that all nodes share. */
  nodeId: string;
  bootId: string;
  /** Other boots that write there may be alive. Where it is the disk of a node, none of its other boots is. */
  shared: boolean;
}

export interface ArtifactTable {
  /**
   * Notes, before the first byte is written under this id, that the bytes have no record. They stay loose until
   * `insert`, `change` or `forget`, but are not removed while this boot is alive.
   */
  announce(id: string, by: { nodeId: string; bootId: string }): Promise<void>;
  /** Record and events in one transaction. Nothing is changed unless it answers `inserted`; a quota of null is none. */
  insert(
    record: ArtifactRecord,
    quotaBytes: number | null,
    events?: readonly NewEvent[],
  ): Promise<'inserted' | 'browserGone' | 'overQuota'>;
  /**
   * Changes one that this boot is making, and appends the events, in one transaction. With a `size` its bytes are
   * there: they count, and are no longer loose. `gone`: removed, or finished already. A `bootId` of null finishes it.
   */
  change(
    id: string,
    bootId: string,
    patch: Partial<Omit<ArtifactRecord, 'id' | 'projectId' | 'browserId' | 'kind' | 'createdAt'>>,
    quotaBytes: number | null,
    events?: readonly NewEvent[],
  ): Promise<ArtifactRecord | 'gone' | 'overQuota'>;
  /** Assigns what earlier boots of the node left unfinished to this boot, which must finish it. */
  inherit(on: { nodeId: string; bootId: string }): Promise<ArtifactRecord[]>;
  /** The same of nodes that have been gone for so long, by the clock of the database. */
  inheritLost(bootId: string, kind: ArtifactKind, goneForMs: number): Promise<ArtifactRecord[]>;
  get(id: string, of: { projectId: string; browserId: string }): Promise<ArtifactRecord | undefined>;
  /** Newest first. */
  list(query: {
    projectId: string;
    browserId: string;
    kind: ArtifactKind;
    after?: { createdAt: number; id: string };
    limit: number;
  }): Promise<ArtifactRecord[]>;
  /** The record goes, its bytes become loose. False when there is none. */
  remove(id: string, of: { projectId: string; browserId: string }): Promise<boolean>;
  /** Bytes of all artifacts of the project. */
  usage(projectId: string): Promise<number>;
  /** Bytes of all artifacts of all projects. */
  totalUsage(): Promise<number>;
  /**
   * Bytes at a place, after an id, that have no record and no boot that writes them; from now on a boot that did gets no
   * record for them. `wasCut`: something unfinished may be there as well. `mayComeLate`: they are not forgotten but marked,
   * and come once more later.
   */
  takeLoose(
    at: LooseBytes,
    after: string,
    limit: number,
  ): Promise<{ id: string; wasCut: boolean; mayComeLate: boolean }[]>;
  /** These were removed, but a boot that was declared gone may still put some there. */
  markSwept(ids: readonly string[]): Promise<void>;
  /** These bytes are gone from these places; what lies elsewhere stays noted. */
  forget(ids: readonly string[], nodeIds: readonly string[]): Promise<void>;
}
