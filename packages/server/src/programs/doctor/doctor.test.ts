import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startS3 } from '../../../tests/support/s3-server.ts';
import { openSealing } from '../../sealing/sealing.ts';
import { lockFolder } from '../../store/folder-lock.ts';
import { openStore } from '../../store/store.ts';
import { fontFinding } from './engines.ts';
import { checkLock, checkSpace, checkWritable } from './folders.ts';
import { checkClock, checkMemory, checkNode, checkOpenFiles, checkSharedMemory } from './machine.ts';
import { checkPort } from './port.ts';
import { checkSealing } from './sealing.ts';
import { checkStorage } from './storage.ts';

const gib = 1024 ** 3;
const asked = { maxBrowsers: 20, maxConnections: 1000 };

test('memory and open files are held against what the configuration allows', () => {
  expect(checkMemory(asked, 8 * gib).state).toBe('ok');
  const little = checkMemory(asked, 2 * gib);
  expect(little).toMatchObject({
    state: 'warn',
    fix: expect.stringContaining('BROWSERD_MAX_BROWSERS to 8 '),
  });
  expect(checkMemory({ ...asked, maxBrowsers: 4 }, gib / 2).state, 'the default is never warned of').toBe(
    'ok',
  );
  expect(checkOpenFiles(asked, 20_000).state).toBe('ok');
  expect(checkOpenFiles(asked, Number.POSITIVE_INFINITY).state).toBe('ok');
  expect(checkOpenFiles(asked, 1024)).toMatchObject({ state: 'warn', fix: expect.stringContaining('1896') });
});

test('little shared memory matters only to browsers without a box', () => {
  const docker = 64 * 1024 ** 2;
  expect(checkSharedMemory(true, docker).state).toBe('ok');
  expect(checkSharedMemory(false, docker).state).toBe('warn');
  expect(checkSharedMemory(false, 2 * gib).state).toBe('ok');
});

test('a clock from before the installation, an old Node and missing fonts are told', () => {
  expect(checkClock(0, Date.now()).state).toBe('warn');
  expect(checkClock().state).toBe('ok');
  expect(checkNode('v22.0.0', {}).state).toBe('fail');
  expect(checkNode().state).toBe('ok');
  expect(fontFinding([]).state).toBe('ok');
  expect(fontFinding(['emoji']).detail).toContain('emoji');
});

test('storage for bytes is tried, and told with what mends it', async () => {
  await using s3 = await startS3();
  const settings = s3.settings();
  const config = {
    ...{
      dataDir: '/nowhere',
      storageReserve: 0,
      blobs: settings.BROWSERD_BLOBS ?? null,
      s3SessionToken: null,
    },
    s3AccessKeyId: settings.BROWSERD_S3_ACCESS_KEY_ID ?? null,
    s3SecretAccessKey: settings.BROWSERD_S3_SECRET_ACCESS_KEY ?? null,
  };
  expect(await checkStorage(config)).toMatchObject({
    state: 'ok',
    detail: expect.stringContaining('s3://kept/bytes:'),
  });
  expect(await checkStorage({ ...config, s3SecretAccessKey: 'of-another' })).toMatchObject({
    state: 'fail',
    detail: expect.stringContaining('BROWSERD_S3_SECRET_ACCESS_KEY'),
    fix: expect.stringContaining('docs/storage.md'),
  });
  expect(s3.objects.size).toBe(0);
});

test('folders are looked at and left as they were, and a lock is told by who holds it', async () => {
  const root = await mkdtemp(join(tmpdir(), 'browserd-doctor-test-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const dataDir = join(root, 'deep/data');
  const folders = { dataDir, scratchDir: join(root, 'scratch'), exchangeDir: '/proc/self/exchange' };
  const states = (await checkWritable(folders)).map(({ name, state }) => `${name} ${state}`);
  expect(states).toEqual(['data folder ok', 'scratch folder ok', 'exchange folder fail']);
  expect(checkLock(dataDir, false).state).toBe('ok');
  expect((await checkSpace({ ...folders, storageReserve: 0 })).state).not.toBe('fail');
  expect((await checkSpace({ ...folders, storageReserve: 1e18 })).state).toBe('fail');

  const lock = lockFolder(dataDir);
  expect(checkLock(dataDir, true)).toMatchObject({ state: 'ok', detail: expect.stringContaining('running') });
  expect(checkLock(dataDir, false).state).toBe('fail');
  lock[Symbol.dispose]();
  expect(checkLock(dataDir, false)).toMatchObject({ state: 'ok', detail: 'free' });
});

test('a port is free, served by browserd, taken by something else, or out of reach', async () => {
  let answer = '{"status":"ok","version":"9.9.9"}';
  const server = createServer((_, response) => void response.end(answer)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const here = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  expect(await checkPort(here)).toMatchObject({ served: true, finding: { state: 'ok' } });
  for (answer of ['hello', '{"status":"ok"}', '{"status":"ok","version":"\\u001b[31m"}', 'null'])
    expect(await checkPort(here)).toMatchObject({ served: false, finding: { state: 'fail' } });
  await new Promise((resolve) => server.close(resolve));
  expect(await checkPort(here)).toMatchObject({ served: false, finding: { state: 'ok' } });
  expect((await checkPort({ host: '192.0.2.1', port: 8787 })).finding.state).toBe('fail');
});

test('a key that sealed what is stored and is not at hand is told, and none is made', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'browserd-doctor-test-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const [old, fresh] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
  const check = (secretKey: string[] | null) => checkSealing({ secretKey, dataDir, databaseUrl: null });
  expect(await check(null)).toMatchObject({ state: 'ok', detail: expect.stringContaining('first start') });
  expect(await readdir(dataDir)).toEqual([]);
  const sealing = openSealing({ secretKey: [old!], dataDir });
  await (await openStore({ databaseUrl: null, dataDir, sealing })).close();
  expect(await check([old!])).toMatchObject({ state: 'ok', detail: expect.stringContaining(sealing.keyId) });
  expect(await check([fresh!, old!])).toMatchObject({ state: 'ok' });
  for (const wrong of [[fresh!], null])
    expect(await check(wrong)).toMatchObject({
      state: 'fail',
      detail: expect.stringContaining(sealing.keyId),
      fix: expect.stringContaining('BROWSERD_SECRET_KEY'),
    });
});
