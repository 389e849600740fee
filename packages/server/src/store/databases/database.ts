/** The tables. Rows derive from the records, so that a field cannot be forgotten on its way to a column. */
import type { GeneratedAlways, Kysely } from 'kysely';
import type {
  ArtifactRecord,
  BrowserRecord,
  CachedAnswerRecord,
  CheckpointRecord,
  DeliveryRecord,
  EventRecord,
  ExtensionRecord,
  FontRecord,
  IdempotencyRecord,
  JobPageRecord,
  JobRecord,
  KeyRecord,
  LocalStorageRecord,
  NewEvent,
  NodeRecord,
  ProfileRecord,
  ProfileVersionRecord,
  ProjectFileRecord,
  ProjectRecord,
  ProjectSecretRecord,
  WebhookRecord,
} from '../records.ts';
import type { Row } from './row.ts';

export type ProfileJson = 'metadata' | 'cookieDomains' | 'signInCheck' | 'health';

export interface Database {
  projects: Row<ProjectRecord> & { served_at: number | null };
  keys: Row<KeyRecord>;
  nodes: Row<NodeRecord>;
  browsers: Row<BrowserRecord, 'metadata' | 'settings' | 'receipt' | 'startPage' | 'handoff'>;
  browser_metadata: MetadataRow;
  browser_search: { browser_id: string; text: string };
  checkpoints: CheckpointRow;
  local_storage: Row<LocalStorageRecord>;
  artifacts: Row<ArtifactRecord, 'details'>;
  loose_blobs: LooseBlobRow;
  project_storage: { project_id: string; bytes: number };
  profiles: Row<ProfileRecord, ProfileJson>;
  profile_metadata: Omit<MetadataRow, 'browser_id' | 'status'> & { profile_id: string };
  profile_versions: Row<ProfileVersionRecord, 'cookieDomains'>;
  extensions: Row<ExtensionRecord, 'manifest'>;
  jobs: JobRow;
  job_pages: Row<JobPageRecord, 'item' | 'error' | 'file'>;
  job_keys: { job_id: string; key: string; idx: number; bucket: string | null };
  cached_answers: Row<CachedAnswerRecord>;
  fonts: Row<FontRecord, 'faces'>;
  browser_extensions: { browser_id: string; extension_id: string };
  project_files: Row<ProjectFileRecord>;
  events: Omit<Row<EventRecord, 'data'>, 'seq'> & { seq: GeneratedAlways<number> };
  idempotency: Row<IdempotencyRecord> & { size: number };
  idempotency_room: { project_id: string; bytes: number };
  secrets: { name: string; value: string };
  project_secrets: Row<ProjectSecretRecord, 'origins' | 'metadata'>;
  sealing_keys: { id: string; created_at: number };
  sealing_nodes: { node_id: string; key_id: string };
  webhooks: Row<WebhookRecord, 'events'>;
  deliveries: Row<DeliveryRecord, 'attempts'>;
  turns: { name: string; at: number; calm_since: number };
  schema_floor: { oldest: string };
}

/** What it holds beside results, and the boot that still writes the pages it begins with. */
type JobRow = Row<JobRecord, 'request' | 'remarks' | 'error'> & { bytes: number; maker: string | null };

/** A state has one of both: text as earlier versions wrote it, or packed bytes. */
type CheckpointRow = Omit<Row<CheckpointRecord, 'data'>, 'data'> & {
  data: string | null;
  body: Uint8Array | null;
};

/** The index behind the metadata filter: one row a pair, with the columns that lists are filtered and ordered by. */
export interface MetadataRow {
  browser_id: string;
  project_id: string;
  key: string;
  value: string;
  status: string;
  created_at: number;
}

/** Bytes without a record: being written by this boot, or, without one, to be removed. */
export interface LooseBlobRow {
  id: string;
  /** The node whose disk has them, or a word for storage that all nodes share. */
  node_id: string;
  boot_id: string | null;
  /** When bytes of a boot that was declared gone were removed; 0: they are to be removed. */
  swept_at: number | null;
}

export type Kind = 'sqlite' | 'postgres';

export interface Connection {
  readonly kind: Kind;
  readonly db: Kysely<Database>;
  /** Called with events once they are committed. */
  readonly onEvents?: (events: readonly NewEvent[]) => void;
}
