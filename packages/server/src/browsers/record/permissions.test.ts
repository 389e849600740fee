import { describe, expect, test } from 'vitest';
import { canonicalOrigin, canonicalPermissions, changed, changeOf, permissionNames } from './permissions.ts';

const none = { permissions: {}, origins: {} };
const origin = 'https://a.test';

describe('names', () => {
  test('of the protocol mean those of the web', () => {
    expect(
      canonicalPermissions({ videoCapture: 'granted', clipboardReadWrite: 'denied', midiSysex: 'prompt' }),
    ).toEqual({ camera: 'granted', 'clipboard-read': 'denied', 'midi-sysex': 'prompt' });
    expect(Object.keys(canonicalPermissions({ sensors: 'granted' }))).toEqual([
      'accelerometer',
      'ambient-light-sensor',
      'gyroscope',
      'magnetometer',
    ]);
  });

  test('that every object has are no permissions', () => {
    for (const name of ['toString', 'hasOwnProperty', 'valueOf'])
      expect(() => canonicalPermissions({ [name]: 'granted' })).toThrow('is not a permission');
  });
});

test('origins are written as browsers write them', () => {
  for (const [text, canonical] of [
    ['HTTPS://A.test', origin],
    ['https://a.test:443/', origin],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ])
    expect(canonicalOrigin(text as string)).toBe(canonical);
});

describe('a change', () => {
  test('leaves alone what it does not name', () => {
    const before = changed(none, { kind: 'set', origin, permissions: { midi: 'granted' } });
    const after = changed(before, { kind: 'set', origin, permissions: { nfc: 'denied' } });
    expect(after).toEqual({ permissions: {}, origins: { [origin]: { midi: 'granted', nfc: 'denied' } } });
    expect(changed(after, { kind: 'clear', origin: 'https://b.test' })).toEqual(after);
    expect(changed(after, { kind: 'clear', origin })).toEqual(none);
    expect(changed(after, { kind: 'clear' })).toEqual(none);
  });

  test('by a client is read from its command', () => {
    const granted = changeOf('Browser.grantPermissions', {
      permissions: ['geolocation', 'vr'],
      origin: `${origin}/`,
    });
    expect(granted).toMatchObject({
      kind: 'set',
      origin,
      permissions: { geolocation: 'granted', midi: 'denied' },
    });
    expect(granted?.kind === 'set' && Object.keys(granted.permissions)).toEqual(permissionNames);
    const setting = { setting: 'granted', origin };
    for (const [permission, name] of [
      [{ name: 'midi', sysex: true }, 'midi-sysex'],
      [{ name: 'camera', panTiltZoom: true }, 'camera-pan-tilt-zoom'],
      [{ name: 'fullscreen', allowWithoutGesture: true }, 'automatic-fullscreen'],
      [{ name: 'push', userVisibleOnly: true }, 'push'],
    ] as const)
      expect(changeOf('Browser.setPermission', { permission, ...setting })).toEqual({
        kind: 'set',
        origin,
        permissions: { [name]: 'granted' },
      });
    expect(changeOf('Browser.resetPermissions', {})).toEqual({ kind: 'clear' });
  });

  test('in a context of the client’s own, or for an embedder alone, is not of interest', () => {
    expect(changeOf('Browser.resetPermissions', { browserContextId: 'x' })).toBeUndefined();
    const embedded = { permission: { name: 'midi' }, setting: 'granted', origin, embeddedOrigin: origin };
    expect(changeOf('Browser.setPermission', embedded)).toBeUndefined();
    expect(changeOf('Browser.setDownloadBehavior', {})).toBeUndefined();
  });
});
