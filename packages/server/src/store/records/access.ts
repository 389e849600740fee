/** Projects, their API keys, and secrets that all boots of the service share. */
export interface ProjectRecord {
  id: string;
  name: string;
  createdAt: number;
}

export interface ProjectTable {
  /** The project of this name, made when it does not exist. */
  ensure(name: string): Promise<ProjectRecord>;
  get(id: string): Promise<ProjectRecord | undefined>;
  count(): Promise<number>;
}

export interface KeyRecord {
  id: string;
  projectId: string;
  name: string;
  role: 'admin' | 'member';
  /** SHA-256 of the secret, hex. The secret itself is not stored. */
  hash: string;
  createdAt: number;
  lastUsedAt: number | null;
  expiresAt: number | null;
  revokedAt: number | null;
}

export interface KeyTable {
  /** Does nothing when a key with this secret is in use already. */
  insert(key: KeyRecord): Promise<void>;
  /** Revoked and expired ones too, but one that is not revoked first. */
  findByHash(hash: string): Promise<KeyRecord | undefined>;
  /** Revoked and expired ones too. */
  get(id: string): Promise<KeyRecord | undefined>;
  /** Those that are not revoked, newest first; of all projects when none is named. */
  list(query: {
    projectId?: string;
    after?: { createdAt: number; id: string };
    limit: number;
  }): Promise<KeyRecord[]>;
  /** `lastAdmin` when it is the last usable admin key of its project; nothing is changed then. */
  revoke(id: string, projectId: string | undefined, at: number): Promise<'revoked' | 'unknown' | 'lastAdmin'>;
  touch(id: string, at: number): Promise<void>;
  count(): Promise<number>;
}

export interface SecretTable {
  /** The secret of this name; the given value is stored if there is none yet, so that all nodes get the same. */
  ensure(name: string, value: string): Promise<string>;
}
