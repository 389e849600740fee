import type { GeneratedAlways, Kysely } from 'kysely';
import type {
  BrowserRecord,
  CheckpointRecord,
  EventRecord,
  IdempotencyRecord,
  KeyRecord,
  NodeRecord,
  ProjectRecord,
} from './records.ts';
import type { Row } from './row.ts';

/** The tables. Rows derive from the records, so that a field cannot be forgotten on its way to a column. */
export interface Database {
  projects: Row<ProjectRecord>;
  keys: Row<KeyRecord>;
  nodes: Row<NodeRecord>;
  browsers: Row<BrowserRecord, 'metadata' | 'settings' | 'receipt'>;
  browser_metadata: MetadataRow;
  checkpoints: Row<CheckpointRecord, 'data'>;
  events: Omit<Row<EventRecord, 'data'>, 'seq'> & { seq: GeneratedAlways<number> };
  idempotency: Row<IdempotencyRecord>;
}

/** The index behind the metadata filter: one row a pair, with the columns that lists are filtered and ordered by. */
export interface MetadataRow {
  browser_id: string;
  project_id: string;
  key: string;
  value: string;
  status: string;
  created_at: number;
}

export type Kind = 'sqlite' | 'postgres';

export interface Connection {
  readonly kind: Kind;
  readonly db: Kysely<Database>;
}
