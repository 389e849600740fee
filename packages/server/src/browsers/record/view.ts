/** A record as a caller sees it, and the permissions that are kept in it. */
import { type CertificateFacts, describeUpstream } from '../../egress/egress.ts';
import { iso, isoOrUndefined } from '../../kit/clock.ts';
import { maskHeaders } from '../../kit/mask-headers.ts';
import type { BrowserRecord } from '../../store/records.ts';
import { maskedRules } from './checked-rules.ts';
import type { BrowserStatus } from './lifecycle.ts';
import type { Permissions } from './permissions.ts';
import type { Browser } from './schema.ts';
import { type Settings, settingsIn, shownNames } from './settings.ts';

export function permissionsIn(record: BrowserRecord): Permissions {
  const { permissions, originPermissions } = settingsIn(record);
  return { permissions: permissions ?? {}, origins: originPermissions ?? {} };
}

const shownSettings = (settings: Settings) =>
  Object.fromEntries(shownNames.map((name) => [name, settings[name]])) as Pick<
    Settings,
    (typeof shownNames)[number]
  >;

const factsOf = ({ subject, fingerprint, validFrom, validTo }: CertificateFacts): CertificateFacts => ({
  subject,
  fingerprint,
  validFrom,
  validTo,
});

/** The record as its owner sees it: times as text, no passwords, headers masked, no cookies. */
export function viewOf(
  record: BrowserRecord,
  now: Partial<Pick<Browser, 'tabs' | 'queue' | 'traffic' | 'ruleHits' | 'consent' | 'handoff'>> & {
    lastActionAt?: number;
  } = {},
): Browser {
  const { policy, proxy, extraHeaders, httpCredentials, tls, clientCertificates, ...settings } =
    shownSettings(settingsIn(record));
  return {
    id: record.id,
    status: record.status as BrowserStatus,
    statusReason: record.statusReason ?? undefined,
    queue: now.queue,
    name: record.name ?? undefined,
    metadata: record.metadata,
    createdAt: iso(record.createdAt),
    readyAt: isoOrUndefined(record.readyAt),
    lastActionAt: iso(now.lastActionAt ?? record.lastActionAt),
    expiresAt: iso(record.expiresAt),
    stoppedAt: isoOrUndefined(record.stoppedAt),
    closedAt: isoOrUndefined(record.closedAt),
    policy: policy.rules ? { ...policy, rules: maskedRules(policy.rules) } : policy,
    proxy: proxy && describeUpstream(proxy),
    ...settings,
    extraHeaders: extraHeaders && maskHeaders(extraHeaders),
    httpCredentials: httpCredentials?.map(({ origin, username }) => ({ origin, username })),
    tls: tls && { ...tls, trust: tls.trust?.map(factsOf) },
    clientCertificates: clientCertificates?.map((each) => ({ origin: each.origin, ...factsOf(each) })),
    startPage: (record.startPage as Browser['startPage'] | null) ?? undefined,
    maxDuration: record.maxDuration,
    idleTimeout: record.idleTimeout ?? undefined,
    epoch: record.epoch,
    tabs: now.tabs ?? record.tabs,
    handoff: now.handoff,
    traffic: now.traffic,
    ruleHits: now.ruleHits,
    consent: now.consent,
    node: record.nodeId ?? undefined,
  };
}
