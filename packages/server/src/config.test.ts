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

test('a node of a cluster needs PostgreSQL and shared files, and is told so', () => {
  const node = {
    BROWSERD_CLUSTER_ADDRESS: '10.0.0.5:8788',
    BROWSERD_DATABASE_URL: 'postgres://db/browserd',
    BROWSERD_BLOBS: 's3://bucket/prefix?endpoint=https://s3.example.com&region=x',
  };
  expect(readConfig(node)).toMatchObject({
    clusterAddress: '10.0.0.5:8788',
    lease: 30_000,
    drain: 'handover',
  });
  expect(readConfig({ ...node, BROWSERD_BLOBS: '/mnt/shared' }).blobs).toBe('/mnt/shared');
  const without = (name: keyof typeof node) => () => readConfig({ ...node, [name]: undefined });
  expect(without('BROWSERD_DATABASE_URL')).toThrow(/share a PostgreSQL database: set BROWSERD_DATABASE_URL/);
  expect(without('BROWSERD_BLOBS')).toThrow(/share their files: set BROWSERD_BLOBS/);
  expect(without('BROWSERD_CLUSTER_ADDRESS')().clusterAddress).toBeNull();
  expect(() => readConfig({ BROWSERD_S3_ACCESS_KEY_ID: 'id' })).toThrow(/belong together/);
});

test('addresses of nodes and places of files are checked', () => {
  const address = (text: string) => () => readConfig({ BROWSERD_CLUSTER_ADDRESS: text });
  for (const wrong of ['10.0.0.5', 'node:0', 'node:70000', 'http://node:1', 'fd00::5:8788'])
    expect(address(wrong)).toThrow(/BROWSERD_CLUSTER_ADDRESS is wrong: expected HOST:PORT/);
  for (const right of ['node-1.internal:8788', '[fd00::5]:8788'])
    expect(address(right)).toThrow(/share a PostgreSQL database/);
  for (const wrong of ['shared', 's3://', 'https://bucket', 's3://key:secret@bucket'])
    expect(() => readConfig({ BROWSERD_BLOBS: wrong })).toThrow(/BROWSERD_BLOBS is wrong: expected s3:/);
  expect(() => readConfig({ BROWSERD_LEASE: '10ms' })).toThrow(
    /BROWSERD_LEASE is wrong: expected at least 1s/,
  );
});

test('the address that clients use is no mistake in the environment of the service', () => {
  expect(readConfig({ BROWSERD_URL: 'http://127.0.0.1:9000' }).port).toBe(8787);
});
