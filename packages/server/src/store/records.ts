/**
 * The records of the service as the rest of it sees them: plain values, times in milliseconds,
 * JSON already parsed. What tables and columns they live in is the store's own business.
 */
import type { KeyTable, ProjectTable, SecretTable } from './records/access.ts';
import type { ArtifactTable } from './records/artifacts.ts';
import type { BrowserTable, CheckpointTable, LocalStorageTable } from './records/browsers.ts';
import type { CachedAnswerTable } from './records/cached-answers.ts';
import type { EventTable } from './records/events.ts';
import type { ExtensionTable } from './records/extensions.ts';
import type { FontTable } from './records/fonts.ts';
import type { IdempotencyTable } from './records/idempotency.ts';
import type { JobTable } from './records/jobs.ts';
import type { NodeTable } from './records/nodes.ts';
import type { PlacementTable, TurnTable } from './records/placement.ts';
import type { ProfileTable } from './records/profiles.ts';
import type { ProjectFileTable } from './records/project-files.ts';
import type { ProjectSecretTable } from './records/project-secrets.ts';
import type { SealingTable } from './records/sealing.ts';
import type { VaultTable } from './records/vaults.ts';
import type { DeliveryTable, WebhookTable } from './records/webhooks.ts';

export type { KeyRecord, ProjectRecord } from './records/access.ts';
export type { ArtifactKind, ArtifactRecord, LooseBytes } from './records/artifacts.ts';
export type {
  BrowserQuery,
  BrowserRecord,
  CheckpointRecord,
  Expected,
  LocalStorageRecord,
} from './records/browsers.ts';
export type { CachedAnswerRecord } from './records/cached-answers.ts';
export type { EventQuery, EventRecord, NewEvent } from './records/events.ts';
export type { ExtensionRecord } from './records/extensions.ts';
export type { FontRecord } from './records/fonts.ts';
export type { IdempotencyRecord } from './records/idempotency.ts';
export type {
  ClaimedPage,
  Finds,
  FirstJobPage,
  JobPageRecord,
  JobProblem,
  JobRecord,
  JobSummary,
  NewJobPage,
  PageOutcome,
  TellOfJob,
} from './records/jobs.ts';
export type { ClaimLimits, LineLimits } from './records/line.ts';
export type { BurialCause, Hearing, NewNode, NodeRecord, NodeSeen, NodeState } from './records/nodes.ts';
export type { ProfileContents, ProfileRecord, ProfileRef, ProfileVersionRecord } from './records/profiles.ts';
export type { ProjectFileRecord } from './records/project-files.ts';
export type { ProjectSecretRecord } from './records/project-secrets.ts';
export type { DeliveryRecord, DeliveryRoom, DeliveryState, WebhookRecord } from './records/webhooks.ts';

export interface Store {
  readonly kind: 'sqlite' | 'postgres';
  /** Fails when the database cannot answer. */
  ping(): Promise<void>;
  close(): Promise<void>;

  projects: ProjectTable;
  keys: KeyTable;
  nodes: NodeTable;
  placement: PlacementTable;
  turns: TurnTable;
  browsers: BrowserTable;
  checkpoints: CheckpointTable;
  localStorage: LocalStorageTable;
  vaults: VaultTable;
  artifacts: ArtifactTable;
  profiles: ProfileTable;
  extensions: ExtensionTable;
  jobs: JobTable;
  projectFiles: ProjectFileTable;
  cachedAnswers: CachedAnswerTable;
  fonts: FontTable;
  events: EventTable;
  webhooks: WebhookTable;
  deliveries: DeliveryTable;
  idempotency: IdempotencyTable;
  secrets: SecretTable;
  projectSecrets: ProjectSecretTable;
  sealing: SealingTable;
  /**
   * Removes what is past its time: closed and failed browsers with their events, checkpoints and artifacts, whose
   * bytes become loose; idempotency rows; deliveries; lone events. A signal ends it after the batch at hand.
   */
  sweep(
    before: {
      closedBefore: number;
      idempotencyBefore: number;
      deliveriesBefore?: number;
      /** Events of browsers that never had a record, and so go by their age. */
      loneEvents?: { types: readonly string[]; before: number };
    },
    signal?: AbortSignal,
  ): Promise<{ browsers: string[] }>;
}
