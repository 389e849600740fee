/**
 * What pages may do, for all origins and for single ones, which beat those for all. Chromium forgets it with its
 * process, so the record keeps it, and it is set again in each new Chromium.
 */
import type { Protocol } from 'devtools-protocol';
import { type Cdp, CdpError } from '../../chromium/chromium.ts';
import { ApiError } from '../../errors.ts';
import { invalid } from './invalid.ts';

export type PermissionState = 'granted' | 'denied' | 'prompt';
export type PermissionSet = Record<string, PermissionState>;

export interface Permissions {
  permissions: PermissionSet;
  origins: Record<string, PermissionSet>;
}

export type PermissionChange =
  | { kind: 'set'; origin?: string; permissions: PermissionSet }
  | { kind: 'clear'; origin?: string };

/**
 * By the names of the web's Permissions API, with the names of the DevTools protocol where those are not the same in
 * camelCase. Of the protocol's, those that cannot be set on their own (virtual reality, say) are missing.
 */
const known: Record<string, { as?: string; descriptor?: Partial<Protocol.Browser.PermissionDescriptor> }> = {
  accelerometer: { as: 'sensors' },
  'ambient-light-sensor': { as: 'sensors' },
  'automatic-fullscreen': { descriptor: { name: 'fullscreen', allowWithoutGesture: true } },
  'background-fetch': {},
  'background-sync': {},
  camera: { as: 'videoCapture' },
  'camera-pan-tilt-zoom': { descriptor: { name: 'camera', panTiltZoom: true } },
  'captured-surface-control': {},
  'clipboard-read': { as: 'clipboardReadWrite' },
  'clipboard-write': { as: 'clipboardSanitizedWrite' },
  'display-capture': {},
  geolocation: {},
  gyroscope: { as: 'sensors' },
  'idle-detection': {},
  'keyboard-lock': {},
  'local-fonts': {},
  'local-network': {},
  'local-network-access': {},
  'loopback-network': {},
  magnetometer: { as: 'sensors' },
  microphone: { as: 'audioCapture' },
  midi: {},
  'midi-sysex': { descriptor: { name: 'midi', sysex: true } },
  nfc: {},
  notifications: {},
  'payment-handler': {},
  'periodic-background-sync': {},
  'persistent-storage': { as: 'durableStorage' },
  'pointer-lock': {},
  push: { descriptor: { userVisibleOnly: true } },
  'screen-wake-lock': { as: 'wakeLockScreen' },
  'speaker-selection': {},
  'storage-access': {},
  'system-wake-lock': { as: 'wakeLockSystem' },
  'top-level-storage-access': {},
  'web-app-installation': {},
  'window-management': {},
};
export const permissionNames: readonly string[] = Object.keys(known);

const camel = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
const namesOf = (spelling: string): string[] =>
  permissionNames.filter((name) => [name, camel(name), known[name]?.as].includes(spelling));

/** Under their canonical names; refuses one that does not exist. */
export function canonicalPermissions(asked: PermissionSet): PermissionSet {
  const canonical: PermissionSet = {};
  for (const [spelling, state] of Object.entries(asked)) {
    const names = namesOf(spelling);
    if (names.length === 0)
      throw invalid(
        ['permissions', spelling],
        `is not a permission. Valid names: ${permissionNames.join(', ')}`,
      );
    for (const name of names) canonical[name] = state;
  }
  return canonical;
}

/** As browsers write it; a path would promise more than there is. */
export function canonicalOrigin(text: string): string {
  const url = URL.parse(text);
  const extra = url && (url.username || url.password || url.pathname !== '/' || url.search || url.hash);
  if (url && /^https?:$/.test(url.protocol) && !extra) return url.origin;
  throw invalid(['origin'], 'must be scheme://host or scheme://host:port with http or https, and no path');
}

export const changed = (before: Permissions, change: PermissionChange): Permissions => {
  const { origin } = change;
  if (change.kind === 'set' && origin === undefined)
    return { ...before, permissions: { ...before.permissions, ...change.permissions } };
  if (origin === undefined) return { permissions: {}, origins: {} };
  const { [origin]: own, ...others } = before.origins;
  if (change.kind === 'clear') return { ...before, origins: others };
  return { ...before, origins: { ...others, [origin]: { ...own, ...change.permissions } } };
};

/** What a client's own command means for the record; contexts of its own end with it and do not count. */
export function changeOf(method: string, params: Record<string, unknown>): PermissionChange | undefined {
  if (params.browserContextId !== undefined) return undefined;
  if (method === 'Browser.resetPermissions') return { kind: 'clear' };
  const origin = typeof params.origin === 'string' ? URL.parse(params.origin)?.origin : undefined;
  if (method === 'Browser.grantPermissions') {
    const granted = (params.permissions as string[]).flatMap(namesOf);
    // Chromium denies what a client does not name, as the protocol says.
    const state = (name: string): PermissionState => (granted.includes(name) ? 'granted' : 'denied');
    const permissions = Object.fromEntries(permissionNames.map((name) => [name, state(name)]));
    return { kind: 'set', origin, permissions };
  }
  if (method !== 'Browser.setPermission' || params.embeddedOrigin !== undefined) return undefined;
  const { name, sysex, panTiltZoom } = params.permission as Protocol.Browser.PermissionDescriptor;
  const special = sysex ? 'midi-sysex' : panTiltZoom ? 'camera-pan-tilt-zoom' : name;
  const meant = special === 'fullscreen' ? 'automatic-fullscreen' : special;
  if (!permissionNames.includes(meant)) return undefined;
  return { kind: 'set', origin, permissions: { [meant]: params.setting as PermissionState } };
}

/** Sets them in a running Chromium. */
export async function applyPermissions(cdp: Cdp, permissions: PermissionSet, origin?: string): Promise<void> {
  const set = ([name, setting]: [string, PermissionState]) =>
    cdp.send('Browser.setPermission', {
      permission: { name, ...known[name]?.descriptor },
      setting,
      origin,
    });
  await Promise.all(Object.entries(permissions).map(set)).catch((error: unknown) => {
    if (!(error instanceof CdpError)) throw error;
    const where = origin ? ` for ${origin} (is it a secure origin?)` : '';
    throw new ApiError(
      'VALIDATION_FAILED',
      `Chromium does not set these permissions${where}: ${error.reason}`,
      { details: { issues: [{ path: 'permissions', reason: error.reason }] }, cause: error },
    );
  });
}

/** Sets all of them in a Chromium that has none yet; with `anew`, in place of those it has. */
export async function applyAll(cdp: Cdp, all: Permissions, anew = false): Promise<void> {
  await Promise.all([
    anew && cdp.send('Browser.resetPermissions'),
    applyPermissions(cdp, all.permissions),
    ...Object.entries(all.origins).map(([origin, set]) => applyPermissions(cdp, set, origin)),
  ]);
}
