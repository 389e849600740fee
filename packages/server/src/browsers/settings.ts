import { normalizePolicy, PolicyError, parseUpstream, type Upstream } from '../egress/egress.ts';
import { ApiError } from '../errors.ts';
import { permissionNames } from './permissions.ts';
import type { CreateBrowser, Policy, ProxyInput } from './schema.ts';

/** What a browser was created with, checked and filled in; stored with its record. */
export interface Settings {
  recording: boolean;
  policy: Policy;
  proxy?: Upstream;
  viewport: { width: number; height: number; deviceScaleFactor: number };
  userAgent?: string;
  locale?: string;
  timezone?: string;
  geolocation?: { latitude: number; longitude: number; accuracy: number };
  permissions?: Record<string, 'granted' | 'denied' | 'prompt'>;
  extraHeaders?: Record<string, string>;
  startUrl?: string;
  engine: 'shell' | 'full';
  cookies?: CreateBrowser['cookies'];
  dialogs: 'dismiss' | 'accept' | 'manual';
}

export function settingsOf(
  input: CreateBrowser,
  engines: { default: 'shell' | 'full'; found: ('shell' | 'full')[] },
): Settings {
  refuseUnsupported(input);
  checkPermissions(input.permissions);
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
    permissions: input.permissions,
    extraHeaders: input.extraHeaders,
    startUrl: input.startUrl,
    engine,
    cookies: input.cookies,
    dialogs: input.dialogs ?? 'dismiss',
  };
}

const invalid = (path: (string | number)[], reason: string): ApiError =>
  new ApiError('VALIDATION_FAILED', `\`${path.join('.')}\` ${reason}`, {
    details: { issues: [{ path: path.join('.'), reason }] },
  });

/** Parts of the API whose machinery this version lacks are refused: ignoring them would be a lie. */
function refuseUnsupported(input: CreateBrowser): void {
  const refuse = (field: string, instead: string): never => {
    throw new ApiError('FEATURE_UNAVAILABLE', `This version cannot honour \`${field}\`. ${instead}`, {
      details: { field },
    });
  };
  if (input.profile) refuse('profile', 'Stop and resume the browser to keep its state.');
  if (input.dialogs && input.dialogs !== 'dismiss') refuse('dialogs', 'Only `dismiss` is available.');
}

function checkPermissions(permissions: CreateBrowser['permissions']): void {
  for (const name of Object.keys(permissions ?? {}))
    if (!permissionNames.includes(name))
      throw invalid(['permissions', name], `is not a permission. Valid names: ${permissionNames.join(', ')}`);
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
