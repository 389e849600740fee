/** Saved profiles, their versions, and which browser may write one. The bytes of a version lie outside of the database. */
import type { Part } from '../../kit/page-of-list.ts';
import type { NewEvent } from './events.ts';

/** What a version holds, in numbers; the profile repeats those of its current one. */
export interface ProfileContents {
  /** Of its archive, in bytes. */
  size: number;
  cookieCount: number;
  cookieDomains: string[];
  /** With something in their local storage. */
  origins: number;
}

export interface ProfileRecord extends ProfileContents {
  id: string;
  projectId: string;
  /** No two of a project have the same. */
  name: string | null;
  metadata: Record<string, string>;
  createdAt: number;
  updatedAt: number;
  lastUsedAt: number | null;
  expiresAt: number | null;
  /** Of the newest; 0 as long as there is none. */
  version: number;
  /** The browser that may save into it. */
  writer: string | null;
  /** How to see whether it is signed in; opaque to the store, as is what was seen last. */
  signInCheck: Record<string, unknown> | null;
  health: Record<string, unknown> | null;
}

export interface ProfileVersionRecord extends ProfileContents {
  /** Of its bytes. */
  id: string;
  profileId: string;
  projectId: string;
  /** The node that has the bytes. */
  nodeId: string;
  version: number;
  createdAt: number;
  /** Where it came from: `browser`, `import` or `restore`. */
  source: string;
  /** The browser it was saved from, and in which epoch. */
  browserId: string | null;
  epoch: number | null;
  /** 1 when cookies and local storage are all that pages can find of it: then it needs no folder. */
  light: number;
  sha256: string;
}

/** What a save expects of the profile. */
export interface ExpectedProfile {
  version: number;
  /** Null: that no browser may write it. */
  writer: string | null;
}

export type ProfileRef = { id: string } | { name: string };

export interface ProfileTable {
  /** Record, its first version where it has one, and events, in one transaction. Nothing is changed unless it answers `inserted`. */
  insert(
    record: ProfileRecord,
    options: {
      first?: ProfileVersionRecord;
      quotaBytes: number | null;
      events: readonly NewEvent[];
      idempotency?: { key: string; bootId: string };
    },
  ): Promise<'inserted' | 'nameTaken' | 'overQuota'>;
  get(ref: ProfileRef, projectId: string): Promise<ProfileRecord | undefined>;
  /** Newest first. */
  list(query: {
    projectId: string;
    metadata?: Record<string, string>;
    after?: { createdAt: number; id: string };
    limit: number;
  }): Promise<Part<ProfileRecord>>;
  change(
    id: string,
    projectId: string,
    patch: Partial<
      Pick<
        ProfileRecord,
        'name' | 'metadata' | 'updatedAt' | 'lastUsedAt' | 'expiresAt' | 'signInCheck' | 'health'
      >
    >,
    events?: readonly NewEvent[],
  ): Promise<ProfileRecord | 'gone' | 'nameTaken'>;
  /**
   * The only way in which a profile gets a version: from the version and the writer that its caller saw, with the events,
   * and without those that are older than the last `keep`, whose bytes become loose. `moved`: it is not as expected any more.
   */
  addVersion(
    version: ProfileVersionRecord,
    expected: ExpectedProfile,
    options: { keep: number; quotaBytes: number | null; events: readonly NewEvent[] },
  ): Promise<{ record: ProfileRecord; dropped: string[] } | 'moved' | 'overQuota'>;
  /** Newest first. */
  versions(profileId: string): Promise<ProfileVersionRecord[]>;
  version(profileId: string, version: number): Promise<ProfileVersionRecord | undefined>;
  /** This browser does not write it any more; false when it did not. */
  release(id: string, browserId: string): Promise<boolean>;
  /** Takes the right to write from browsers that are over or gone; returns the profiles that are free now. */
  releaseDead(): Promise<string[]>;
  /** With its versions, whose bytes become loose, unless a browser that lives writes it. */
  remove(
    id: string,
    projectId: string,
    events: readonly NewEvent[],
  ): Promise<{ dropped: string[] } | { heldBy: string } | 'gone'>;
  /** Those whose time is over and that no browser writes. */
  expired(now: number, limit: number): Promise<{ id: string; projectId: string }[]>;
}
