import { newId } from '../../src/kit/id.ts';
import type {
  ArtifactRecord,
  BrowserRecord,
  KeyRecord,
  NewEvent,
  ProfileRecord,
  ProfileVersionRecord,
  WebhookRecord,
} from '../../src/store/records.ts';

/** Records as the service would make them, for tests that only care about some of their fields. */
export const aBrowser = (fields: Partial<BrowserRecord> & { projectId: string }): BrowserRecord => ({
  id: newId('browser'),
  status: 'creating',
  statusReason: null,
  name: null,
  metadata: {},
  settings: { viewport: { width: 1280, height: 720 } },
  createdAt: 1_700_000_000_000,
  readyAt: null,
  lastActionAt: 1_700_000_000_000,
  expiresAt: 1_700_086_400_000,
  stoppedAt: null,
  closedAt: null,
  receipt: null,
  maxDuration: 86_400_000,
  idleTimeout: null,
  epoch: 1,
  recoveries: 0,
  serviceDeaths: 0,
  startPage: null,
  tabs: 0,
  handoff: null,
  nodeId: null,
  holder: null,
  queuedAt: null,
  queuedUntil: null,
  vault: null,
  vaultAt: null,
  vaultEngine: null,
  vaultMajor: null,
  ...fields,
});

export const aKey = (fields: Partial<KeyRecord> & { projectId: string }): KeyRecord => {
  const id = newId('key');
  return {
    id,
    name: 'a key',
    role: 'member',
    hash: `hash of ${id}`,
    createdAt: 1_700_000_000_000,
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
    ...fields,
  };
};

export const anEvent = (browser: BrowserRecord, fields: Partial<NewEvent> = {}): NewEvent => ({
  projectId: browser.projectId,
  browserId: browser.id,
  type: 'browser.created',
  at: 1_700_000_000_000,
  data: {},
  ...fields,
});

export const anArtifact = (
  browser: Pick<BrowserRecord, 'id' | 'projectId'>,
  fields: Partial<ArtifactRecord> = {},
): ArtifactRecord => ({
  id: newId(fields.kind ?? 'file'),
  projectId: browser.projectId,
  browserId: browser.id,
  nodeId: 'node_1',
  kind: 'file',
  state: 'ready',
  bootId: null,
  source: 'upload',
  name: 'report.pdf',
  mimeType: 'application/pdf',
  size: 10,
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  details: {},
  createdAt: 1_700_000_000_000,
  ...fields,
});

export const aProfile = (fields: Partial<ProfileRecord> & { projectId: string }): ProfileRecord => ({
  id: newId('profile'),
  name: null,
  metadata: {},
  createdAt: 1_700_000_000_000,
  updatedAt: 1_700_000_000_000,
  lastUsedAt: null,
  expiresAt: null,
  version: 0,
  size: 0,
  cookieCount: 0,
  cookieDomains: [],
  origins: 0,
  writer: null,
  signInCheck: null,
  health: null,
  ...fields,
});

export const aProfileVersion = (
  profile: Pick<ProfileRecord, 'id' | 'projectId'>,
  fields: Partial<ProfileVersionRecord> = {},
): ProfileVersionRecord => ({
  id: newId('version'),
  profileId: profile.id,
  projectId: profile.projectId,
  nodeId: 'node_1',
  version: 1,
  createdAt: 1_700_000_000_001,
  source: 'browser',
  browserId: null,
  epoch: null,
  light: 1,
  size: 10,
  cookieCount: 2,
  cookieDomains: ['example.com'],
  origins: 1,
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  ...fields,
});

export const aWebhook = (projectId: string, fields: Partial<WebhookRecord> = {}): WebhookRecord => ({
  id: newId('webhook'),
  projectId,
  url: 'https://example.com/hook',
  events: ['browser.*'],
  description: 'mine',
  secret: 'whsec_secret',
  createdAt: 1_700_000_000_000,
  place: 0,
  failingSince: null,
  disabledAt: null,
  disabledReason: null,
  jobId: null,
  ...fields,
});
