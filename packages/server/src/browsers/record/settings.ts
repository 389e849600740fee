/** What a browser was created with, checked and filled in; stored with its record. */

import { normalizePolicy, PolicyError, parseUpstream, type Upstream } from '../../egress/egress.ts';
import { ApiError } from '../../errors.ts';
import type { Engine } from '../../kit/engine.ts';
import { invalid } from './invalid.ts';
import { canonicalPermissions, type PermissionSet } from './permissions.ts';
import type { CreateBrowser, Policy, ProxyInput } from './schema.ts';

export interface Settings {
  recording: boolean;
  policy: Policy;
  proxy?: Upstream;
  viewport: { width: number; height: number; deviceScaleFactor: number };
  userAgent?: string;
  locale?: string;
  timezone?: string;
  geolocation?: { latitude: number; longitude: number; accuracy: number };
  /** For all origins; those of one origin beat them. */
  permissions?: PermissionSet;
  originPermissions?: Record<string, PermissionSet>;
  extraHeaders?: Record<string, string>;
  startUrl?: string;
  engine: Engine;
  cookies?: CreateBrowser['cookies'];
  dialogs: 'dismiss' | 'accept' | 'manual';
}

export function settingsOf(input: CreateBrowser, engines: { default: Engine; found: Engine[] }): Settings {
  refuseUnsupported(input);
  const engine = input.engine ?? engines.default;
  if (!engines.found.includes(engine))
    throw new ApiError('FEATURE_UNAVAILABLE', `The engine \`${engine}\` is not installed on this server.`, {
      details: { field: 'engine', available: engines.found },
    });
  return {
    recording: input.recording ?? false,
    policy: checkedPolicy(input.policy),
    proxy: checkedProxy(input.proxy ?? null),
    viewport: input.viewport ?? { width: 1280, height: 720, deviceScaleFactor: 1 },
    userAgent: input.userAgent,
    locale: input.locale,
    timezone: input.timezone,
    geolocation: input.geolocation,
    permissions: input.permissions && canonicalPermissions(input.permissions),
    extraHeaders: input.extraHeaders,
    startUrl: input.startUrl,
    engine,
    cookies: input.cookies,
    dialogs: input.dialogs ?? 'dismiss',
  };
}

/** Parts of the API whose machinery this version lacks are refused: ignoring them would be a lie. */
function refuseUnsupported(input: CreateBrowser): void {
  const refuse = (field: string, instead: string): never => {
    throw new ApiError('FEATURE_UNAVAILABLE', `This version cannot honour \`${field}\`. ${instead}`, {
      details: { field },
    });
  };
  if (input.profile) refuse('profile', 'Stop and resume the browser to keep its state.');
}

export function checkedPolicy(policy: Policy | undefined): Policy {
  try {
    return { ...policy, ...normalizePolicy(policy ?? {}) };
  } catch (error) {
    if (error instanceof PolicyError) throw invalid(['policy', ...error.path], error.reason);
    throw error;
  }
}

export function checkedProxy(proxy: ProxyInput | null): Upstream | undefined {
  if (proxy === null) return undefined;
  try {
    return parseUpstream(proxy);
  } catch (error) {
    if (error instanceof PolicyError) throw invalid(['proxy', ...error.path], error.reason);
    throw error;
  }
}
