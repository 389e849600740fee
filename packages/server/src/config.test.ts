import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

test('without any variable there is a working configuration', () => {
  expect(readConfig({ HOME: '/somewhere' })).toMatchObject({
    host: '127.0.0.1',
    port: 8787,
    isolation: 'auto',
    sandbox: 'on',
    retention: 7 * 86_400_000,
    bodyLimit: 10 * 1024 ** 2,
    databaseUrl: null,
  });
});

test('two data folders have two scratch folders', () => {
  const scratch = (dataDir: string) => readConfig({ BROWSERD_DATA_DIR: dataDir }).scratchDir;
  expect(scratch('/a')).not.toBe(scratch('/b'));
  expect(scratch('/a')).toBe(scratch('/a'));
});

test('two data folders share one cache folder, and the operator may name another', () => {
  const cache = (env: Record<string, string>) => readConfig({ HOME: '/somewhere', ...env }).cacheDir;
  expect(cache({ BROWSERD_DATA_DIR: '/a' })).toBe(cache({ BROWSERD_DATA_DIR: '/b' }));
  expect(cache({ BROWSERD_CACHE_DIR: '/elsewhere' })).toBe('/elsewhere');
});

test('durations and sizes are read with their units', () => {
  const config = readConfig({
    BROWSERD_RETENTION: '1.5h',
    BROWSERD_LAUNCH_TIMEOUT: '250',
    BROWSERD_BODY_LIMIT: '64KiB',
  });
  expect(config).toMatchObject({ retention: 5_400_000, launchTimeout: 250, bodyLimit: 65_536 });
});

test('a public address is kept without the slash at its end; one that cannot be built upon is refused', () => {
  const read = (text: string) => readConfig({ BROWSERD_PUBLIC_URL: text }).publicUrl;
  expect(readConfig({}).publicUrl).toBeNull();
  expect(read('https://browsers.example.com/')).toBe('https://browsers.example.com');
  expect(read('http://10.0.0.1:8080/a/b/')).toBe('http://10.0.0.1:8080/a/b');
  for (const wrong of [
    'browsers.example.com',
    'ftp://x',
    'https://me:secret@x',
    'https://x/?a',
    'https://x/#a',
  ])
    expect(() => read(wrong)).toThrow(/BROWSERD_PUBLIC_URL is wrong: expected http/);
});

test('every mistake is named at once, with a guess at what was meant', () => {
  const wrong = {
    BROWSERD_PROT: '80',
    BROWSERD_PORT: '99999',
    BROWSERD_RETENTION: 'a week',
    BROWSERD_ENGINE: 'gecko',
    BROWSERD_DATABASE_URL: 'mysql://x',
  };
  const read = () => readConfig(wrong);
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(/BROWSERD_PROT is not a setting of browserd. Did you mean BROWSERD_PORT\?/);
  expect(read).toThrow(/BROWSERD_PORT is wrong: expected at most 65535/);
  expect(read).toThrow(/BROWSERD_RETENTION is wrong: expected a duration/);
  expect(read).toThrow(/BROWSERD_ENGINE is wrong/);
  expect(read).toThrow(/BROWSERD_DATABASE_URL is wrong: expected postgres/);
});

test('the address that clients use is no mistake in the environment of the service', () => {
  expect(readConfig({ BROWSERD_URL: 'http://127.0.0.1:9000' }).port).toBe(8787);
});
