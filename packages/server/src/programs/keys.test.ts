import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text as textOf } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { startS3 } from '../../tests/support/s3-server.ts';
import { aProfile, aProfileVersion } from '../../tests/support/samples.ts';
import { Access } from '../access/access.ts';
import { openTestStore, type TestStore } from '../access/test-store.ts';
import { createLog } from '../kit/log.ts';
import { addKeyToFile, openSealing } from '../sealing/sealing.ts';
import { lockFolder, openStore } from '../store/store.ts';
import { keysCli } from './keys.ts';

async function runWith(env: Record<string, string>, { dataDir }: TestStore, ...args: string[]) {
  let [out, err] = ['', ''];
  const code = await keysCli(args, {
    env: { BROWSERD_DATA_DIR: dataDir, ...env },
    services: () => [],
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

const run = (opened: TestStore, ...args: string[]) => runWith({}, opened, ...args);

const secretIn = (text: string): string => /bd_[0-9A-Za-z]{43}/.exec(text)?.[0] ?? '';

test('a key made by the operator works and is listed without its secret', async () => {
  await using opened = await openTestStore();
  const made = await run(
    opened,
    'create',
    '--name',
    'ci',
    '--role',
    'admin',
    '--project',
    'blue',
    '--expires',
    '30d',
  );
  expect(made).toMatchObject({ code: 0, err: '' });
  const secret = secretIn(made.out);
  const access = new Access({ store: opened.store, log: createLog('silent') });
  const { id } = await access.ensureProject('blue');
  await expect(access.authenticate(`Bearer ${secret}`)).resolves.toMatchObject({
    role: 'admin',
    projectId: id,
  });
  const listed = await run(opened, 'list');
  expect(listed.out).toMatch(
    /^ID +ROLE +PROJECT +CREATED +LAST USED +EXPIRES +NAME\nkey_\w+ +admin +blue .* ci\n$/,
  );
  expect(listed.out).not.toContain(secret);
});

test('a revoked key is refused from then on', async () => {
  await using opened = await openTestStore();
  const secret = secretIn((await run(opened, 'create')).out);
  const access = new Access({ store: opened.store, log: createLog('silent') });
  const { keyId } = await access.authenticate(`Bearer ${secret}`);
  expect((await run(opened, 'revoke', keyId)).code).toBe(0);
  await expect(access.authenticate(`Bearer ${secret}`)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(await run(opened, 'revoke', keyId)).toMatchObject({ code: 1, out: '' });
});

test.each([
  [[]],
  [['toString']],
  [['create', '--colour', 'red']],
  [['create', '--role', 'owner']],
  [['create', '--expires', 'tomorrow']],
  [['create', '--project', 'a b']],
  [['create', '--name', '']],
  [['revoke']],
  [['revoke', 'a', 'b']],
  [['list', 'x']],
  [['rotate-secrets', '--now']],
])('%j is answered with what is wrong and exit code 2', async (args) => {
  await using opened = await openTestStore();
  const { code, out, err } = await run(opened, ...args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).not.toContain(' at ');
  expect(await opened.store.keys.count()).toBe(0);
});

test('a wrong setting is named', async () => {
  const err: string[] = [];
  const from = { env: { BROWSERD_PROT: '1' }, services: () => [] };
  const code = await keysCli(['list'], { ...from, out: () => undefined, err: (text) => err.push(text) });
  expect(code).toBe(1);
  expect(err.join('')).toContain('BROWSERD_PROT');
});

const operatorsKey = (byte: number): string => Buffer.alloc(32, byte).toString('base64');

test('what is stored goes to a new key of the operator, and needs the old one no longer', async () => {
  await using opened = await openTestStore();
  const { dataDir } = opened;
  const [old, fresh] = [operatorsKey(1), operatorsKey(2)];
  const openWith = (...secretKey: string[]) =>
    openStore({ databaseUrl: null, dataDir, sealing: openSealing({ secretKey, dataDir }) });
  const before = await openWith(old);
  await before.secrets.ensure('signing', 'the value');
  await before.close();
  const refused = await runWith({ BROWSERD_SECRET_KEY: fresh }, opened, 'rotate-secrets');
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toMatch(/sealed with the key k_[0-9a-f]{16}/);
  const rotated = await runWith({ BROWSERD_SECRET_KEY: `${fresh},${old}` }, opened, 'rotate-secrets');
  expect(rotated).toMatchObject({ code: 0, err: '' });
  expect(rotated.out).toMatch(/^1 values were sealed anew.*\nNothing needs k_[0-9a-f]{16} any more/);
  const after = await openWith(fresh);
  expect(await after.secrets.ensure('signing', 'another')).toBe('the value');
  await after.close();
  for (const text of [old, fresh]) expect(refused.err + rotated.out).not.toContain(text);
});

test('the key file gets a new key and loses the old one, while no service runs', async () => {
  await using opened = await openTestStore();
  const { dataDir } = opened;
  const idsOf = () => openSealing({ secretKey: null, dataDir }).keyIds;
  await opened.store.secrets.ensure('signing', 'the value');
  await opened.store.sealing.check();
  const [old] = idsOf();
  expect(await run(opened, 'rotate-secrets', '--new-key')).toMatchObject({
    code: 0,
    out: expect.stringContaining(`the older ones (${old}) are gone from it`),
  });
  expect(idsOf()).toHaveLength(1);
  expect(idsOf()).not.toContain(old);
  const after = await openStore({ databaseUrl: null, dataDir });
  expect(await after.secrets.ensure('signing', 'another')).toBe('the value');
  await after.close();
});

test('archives of saved profiles go to the new key as well', async () => {
  await using opened = await openTestStore();
  const { dataDir } = opened;
  const id = 'version_01arz3ndektsv4rrffq69g5fav';
  const path = join(dataDir, 'blobs', 'av', id);
  await mkdir(join(path, '..'), { recursive: true });
  const old = openSealing({ secretKey: null, dataDir });
  await pipeline(Readable.from([Buffer.from('what a page had')]), old.sealing(id), createWriteStream(path));
  await opened.store.sealing.check();
  expect(await run(opened, 'rotate-secrets', '--new-key')).toMatchObject({ code: 0 });
  const fresh = openSealing({ secretKey: null, dataDir });
  expect(fresh.keyIds).not.toContain(old.keyId);
  expect(await textOf(createReadStream(path).pipe(fresh.unsealing(id)))).toBe('what a page had');
});

test('archives in a bucket go to the new key as well, and a rotation that does not know the bucket changes nothing', async () => {
  await using s3 = await startS3();
  await using opened = await openTestStore();
  const { dataDir, store } = opened;
  const old = openSealing({ secretKey: null, dataDir });
  await store.sealing.check();
  const { id: projectId } = await store.projects.ensure('default');
  const profile = aProfile({ projectId });
  const version = aProfileVersion(profile, { nodeId: 'shared' });
  await store.profiles.insert(profile, { first: version, quotaBytes: null, events: [] });
  const key = `bytes/${version.id.slice(-2)}/${version.id}`;
  const sealed = Readable.from([Buffer.from('what a page had')]).pipe(old.sealing(version.id));
  s3.objects.set(key, await buffer(sealed));
  const unaware = await run(opened, 'rotate-secrets', '--new-key');
  expect(unaware).toMatchObject({ code: 1, err: expect.stringContaining('Set BROWSERD_BLOBS') });
  expect(openSealing({ secretKey: null, dataDir }).keyIds).toEqual([old.keyId]);
  expect(await runWith(s3.settings(), opened, 'rotate-secrets', '--new-key')).toMatchObject({ code: 0 });
  const fresh = openSealing({ secretKey: null, dataDir });
  expect(fresh.keyIds).not.toContain(old.keyId);
  const there = Readable.from([s3.objects.get(key)!]);
  expect(await textOf(there.pipe(fresh.unsealing(version.id)))).toBe('what a page had');
  expect([...s3.objects.keys()]).toEqual([key]);
});

test('a rotation that was cut short is finished by the next one', async () => {
  await using opened = await openTestStore();
  const { dataDir } = opened;
  await opened.store.secrets.ensure('signing', 'the value');
  const fresh = addKeyToFile(dataDir);
  expect(await run(opened, 'rotate-secrets')).toMatchObject({ code: 0 });
  expect(openSealing({ secretKey: null, dataDir }).keyIds).toEqual([fresh]);
});

test('a new key for the file is refused beside a running service, and beside keys of the operator', async () => {
  await using opened = await openTestStore();
  const { dataDir } = opened;
  const variable = { BROWSERD_SECRET_KEY: operatorsKey(1) };
  const misplaced = await runWith(variable, opened, 'rotate-secrets', '--new-key');
  expect(misplaced).toMatchObject({
    code: 1,
    err: expect.stringContaining('put the new key before the old one'),
  });
  using _service = lockFolder(dataDir);
  const running = await run(opened, 'rotate-secrets', '--new-key');
  expect(running).toMatchObject({ code: 1, err: expect.stringContaining('in use by another browserd') });
  expect(openSealing({ secretKey: null, dataDir }).keyIds).toEqual([]);
});

test('a node that still seals with the old key stops a rotation', async () => {
  await using opened = await openTestStore();
  const { dataDir } = opened;
  const [old, fresh] = [operatorsKey(1), operatorsKey(2)];
  const service = await openStore({
    databaseUrl: null,
    dataDir,
    sealing: openSealing({ secretKey: [old], dataDir }),
  });
  const now = Date.now();
  await service.nodes.boot({ id: 'node_1', bootId: 'boot', startedAt: now, heartbeatAt: now });
  await service.sealing.join('node_1');
  const refused = await runWith({ BROWSERD_SECRET_KEY: `${fresh},${old}` }, opened, 'rotate-secrets');
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringMatching(/node_1 seals with k_\w+, not with k_\w+/),
  });
  await service.close();
});
