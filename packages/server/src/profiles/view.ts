/** A profile and its versions as their owner sees them: numbers and names, nothing of what they hold. */
import { iso, isoOrUndefined } from '../kit/clock.ts';
import type { ProfileRecord, ProfileVersionRecord } from '../store/records.ts';
import type { Profile, ProfileVersion } from './schema.ts';

export const profileView = (record: ProfileRecord): Profile => ({
  id: record.id,
  name: record.name ?? undefined,
  metadata: record.metadata,
  createdAt: iso(record.createdAt),
  updatedAt: iso(record.updatedAt),
  lastUsedAt: isoOrUndefined(record.lastUsedAt),
  expiresAt: isoOrUndefined(record.expiresAt),
  version: record.version,
  size: record.size,
  cookieCount: record.cookieCount,
  cookieDomains: record.cookieDomains,
  origins: record.origins,
  writer: record.writer ?? undefined,
  check: (record.signInCheck as Profile['check'] | null) ?? undefined,
  health: (record.health as Profile['health'] | null) ?? undefined,
});

export const versionView = (record: ProfileVersionRecord): ProfileVersion => ({
  version: record.version,
  createdAt: iso(record.createdAt),
  source: record.source as ProfileVersion['source'],
  browserId: record.browserId ?? undefined,
  size: record.size,
  cookieCount: record.cookieCount,
  cookieDomains: record.cookieDomains,
  origins: record.origins,
});
