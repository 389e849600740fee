import { expect, test } from 'vitest';
import { durationOf, settingsOf } from './settings.ts';

test('an empty form sends nothing, so that the service applies its defaults', () => {
  expect(settingsOf({})).toEqual({ settings: {}, waitSeconds: 0, issues: [] });
  expect(settingsOf({ name: '  ', recording: false, 'policy.allowedDomains': '\n' }).settings).toEqual({});
});

test('values are at the paths that the service expects', () => {
  const { settings, waitSeconds, issues } = settingsOf({
    name: ' checkout ',
    recording: true,
    engine: 'full',
    idleTimeout: '1h 30m',
    memoryMb: '768',
    wait: '90s',
    'policy.allowedDomains': 'example.com\n\n example.org ',
    'policy.privateAccess.localhost': true,
    'policy.downloads.mode': 'deny',
    'policy.rules': '[{"match": {}, "do": {"action": "block"}}]',
    'policy.lists': 'ads',
    'proxy.server': 'http://proxy:1',
    'proxy.password': ' kept as it is ',
    'viewport.width': '800',
    metadata: 'team: red\nurl=http://a:1',
  });
  expect(issues).toEqual([]);
  expect(waitSeconds).toBe(90);
  expect(settings).toEqual({
    name: 'checkout',
    recording: true,
    engine: 'full',
    idleTimeout: 5_400_000,
    memoryMb: 768,
    policy: {
      allowedDomains: ['example.com', 'example.org'],
      privateAccess: { localhost: true },
      downloads: { mode: 'deny' },
      rules: [{ match: {}, do: { action: 'block' } }],
      lists: ['ads'],
    },
    proxy: { server: 'http://proxy:1', password: ' kept as it is ' },
    viewport: { width: 800 },
    metadata: { team: 'red', url: 'http://a:1' },
  });
});

test('a value that cannot be parsed is an error at its field', () => {
  const { issues } = settingsOf({ idleTimeout: 'soon', 'viewport.width': 'wide', metadata: 'team' });
  expect(issues.map(({ path }) => path).sort()).toEqual(['idleTimeout', 'metadata', 'viewport.width']);
});

test('durations are numbers with units, and nothing else', () => {
  expect(['90s', '1.5h', '1h 30m', '2 d', '1h30m'].map(durationOf)).toEqual([
    90_000, 5_400_000, 5_400_000, 172_800_000, 5_400_000,
  ]);
  expect(['', '5', 'h', '1h x', '-1h', '1x'].map(durationOf)).toEqual([null, null, null, null, null, null]);
});
