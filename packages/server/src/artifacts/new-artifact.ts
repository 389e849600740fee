/** What is known of an artifact before its bytes are there. */
import type { ArtifactKind, NewEvent } from '../store/records.ts';

export interface NewArtifact {
  projectId: string;
  browserId: string;
  kind: ArtifactKind;
  source: string;
  /** Cleaned here; see name.ts. */
  name: string;
  /** What the sender calls it. A hint: the bytes decide. */
  mimeType?: string;
  /** Called once the type of the bytes is known; throws the reason for a refusal. */
  accepts?(mimeType: string): void;
  details?: Record<string, unknown>;
  body: AsyncIterable<Uint8Array> | Uint8Array;
  /** Where it is known beforehand, a body that is too large is refused before it is read. */
  expectedBytes?: number;
  limitBytes: number;
}

/** One whose bytes come later. */
export interface BegunArtifact {
  /** Where its maker has to know it beforehand, from `newId`. */
  id?: string;
  projectId: string;
  browserId: string;
  kind: ArtifactKind;
  state: string;
  source: string;
  name: string;
  mimeType?: string;
  details?: Record<string, unknown>;
}

/** A change of an unfinished artifact; the events are written in the same transaction. */
export interface ArtifactChange {
  state: string;
  details?: Record<string, unknown>;
  events?: readonly NewEvent[];
}

export interface Completion extends ArtifactChange {
  body: AsyncIterable<Uint8Array> | Uint8Array;
  expectedBytes?: number;
  limitBytes: number;
}
