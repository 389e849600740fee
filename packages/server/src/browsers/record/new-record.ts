/** The record with which a browser begins. */
import { newId } from '../../kit/id.ts';
import type { BrowserRecord } from '../../store/records.ts';
import type { CreateBrowser } from './schema.ts';
import { type MemoryBounds, type Settings, settingsOf } from './settings.ts';
import type { WithIdentities } from './trust.ts';

export interface NewRecordParts {
  engines: { default: 'shell' | 'full'; found: ('shell' | 'full')[] };
  defaultMaxDurationMs: number;
  memory: MemoryBounds;
  nodeId: string;
  bootId: string;
}

export function newRecord(
  projectId: string,
  input: WithIdentities<CreateBrowser>,
  parts: NewRecordParts,
  profile?: Settings['profile'],
): BrowserRecord {
  const now = Date.now();
  const maxDuration = input.maxDuration ?? parts.defaultMaxDurationMs;
  return {
    id: newId('browser'),
    projectId,
    status: 'creating',
    statusReason: null,
    name: input.name ?? null,
    metadata: input.metadata ?? {},
    settings: { ...settingsOf(input, parts.engines, parts.memory, profile) },
    createdAt: now,
    readyAt: null,
    lastActionAt: now,
    expiresAt: now + maxDuration,
    stoppedAt: null,
    closedAt: null,
    receipt: null,
    maxDuration,
    idleTimeout: input.idleTimeout ?? null,
    epoch: 1,
    recoveries: 0,
    serviceDeaths: 0,
    startPage: input.startUrl === undefined ? null : { state: 'pending' },
    tabs: 0,
    nodeId: parts.nodeId,
    holder: parts.bootId,
    handoff: null,
    queuedAt: null,
    queuedUntil: null,
    vault: null,
    vaultAt: null,
    vaultEngine: null,
    vaultMajor: null,
  };
}
