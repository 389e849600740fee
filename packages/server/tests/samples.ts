import { newId } from '../src/kit/id.ts';
import type { BrowserRecord, KeyRecord, NewEvent } from '../src/store/records.ts';

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
  tabs: 0,
  nodeId: null,
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
