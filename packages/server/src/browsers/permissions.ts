import type { Cdp } from '../chromium/chromium.ts';

/** Permissions that Chromium lets a client set, by the names the Permissions API of the web uses. */
export const permissionNames: readonly string[] = [
  'accelerometer',
  'ambient-light-sensor',
  'background-fetch',
  'background-sync',
  'camera',
  'captured-surface-control',
  'clipboard-read',
  'clipboard-write',
  'display-capture',
  'geolocation',
  'gyroscope',
  'idle-detection',
  'keyboard-lock',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'nfc',
  'notifications',
  'payment-handler',
  'periodic-background-sync',
  'persistent-storage',
  'pointer-lock',
  'screen-wake-lock',
  'speaker-selection',
  'storage-access',
  'window-management',
];

/** For all origins of the browser, at once. */
export async function setPermissions(
  cdp: Cdp,
  permissions: Record<string, 'granted' | 'denied' | 'prompt'>,
): Promise<void> {
  await Promise.all(
    Object.entries(permissions).map(([name, setting]) =>
      cdp.send('Browser.setPermission', { permission: { name }, setting }),
    ),
  );
}
