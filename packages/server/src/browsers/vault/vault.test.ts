import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { aBrowser } from '../../../tests/support/samples.ts';
import { freshArtifacts } from '../../artifacts/artifacts.fixture.ts';
import { createLog } from '../../kit/log.ts';
import { KeyedMutex } from '../../kit/mutex.ts';
import { filesOf } from '../../profiles/profiles.ts';
import { openSealing } from '../../sealing/sealing.ts';
import type { BrowserRecord } from '../../store/records.ts';
import { openProfileFolders } from '../disk/disk.ts';
import { removeLeftovers } from './leftovers.ts';
import { ProfileVault } from './profile-vault.ts';
import { restoreFolder } from './restore.ts';
import { StoppedProfiles } from './stopped-profiles.ts';
import { untilWhole } from './whole.ts';

const never = new AbortController().signal;
const log = createLog('silent', new Writable());

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'browserd-vault-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

/** A stopped browser, a real store, and a folder in place of the shared storage. */
async function fresh() {
  const { store, browser, artifacts, folder: storage } = await freshArtifacts();
  const parts = {
    store,
    bytes: artifacts.bytes,
    sealing: openSealing({ secretKey: null, dataDir: await folder() }),
    limitBytes: 1e9,
  };
  const vault = new ProfileVault({ ...parts, majorOf: async () => 150 });
  const root = await folder();
  const profiles = await openProfileFolders({
    scratchDir: join(root, 'scratch'),
    overflow: { folder: join(root, 'overflow'), leastFreeBytes: 0 },
    dataDir: join(root, 'data'),
  });
  const now = async () => (await store.browsers.get(browser.id)) as BrowserRecord;
  const change = async (fields: Partial<BrowserRecord>) =>
    (await store.browsers.change(browser.id, {}, fields)) as BrowserRecord;
  /** A profile folder of this browser, as a Chromium leaves it. */
  const aProfile = async (rows: string) => {
    const made = await profiles.make();
    await mkdir(join(made, 'Default/IndexedDB'), { recursive: true });
    await writeFile(join(made, 'Default/IndexedDB/rows'), rows);
    return made;
  };
  const packedHere = async () =>
    (await readdir(storage, { recursive: true })).filter((name) => name.includes('vault_')).length;
  return { ...parts, vault, profiles, browser, storage, now, change, aProfile, packedHere };
}

const rowsIn = (profile: string) => readFile(join(profile, 'Default/IndexedDB/rows'), 'utf8');

test('the last profile that was put is laid out, the one before is gone', async () => {
  const { vault, profiles, now, aProfile, packedHere } = await fresh();
  for (const rows of ['first', 'second']) {
    const files = filesOf(await aProfile(rows), 1e9);
    expect(await vault.put(await now(), { files, at: 1, hasEnded: true }, never)).toBe(true);
  }
  expect(await packedHere()).toBe(1);
  const record = await now();
  const { folder: to } = await profiles.makeWith((made) => vault.unpack(record, { folder: made }, never));
  expect(await rowsIn(to)).toBe('second');
});

test('what is put after another node has taken the browser counts for nothing, and goes', async () => {
  const { vault, now, change, aProfile, packedHere } = await fresh();
  const before = await now();
  await change({ epoch: before.epoch + 1 });
  const files = filesOf(await aProfile('late'), 1e9);
  expect(await vault.put(before, { files, at: 1, hasEnded: true }, never)).toBe(false);
  expect((await now()).vault).toBeNull();
  expect(await packedHere()).toBe(0);
});

test('the profile of a newer Chromium is not laid out; that of the same or an older one is', async () => {
  const { vault, now, aProfile, ...parts } = await fresh();
  await vault.put(await now(), { files: filesOf(await aProfile('rows'), 1e9), at: 1, hasEnded: true }, never);
  const on = async (major: number | undefined) =>
    new ProfileVault({ ...parts, majorOf: async () => major }).unpack(
      await now(),
      { folder: await folder() },
      never,
    );
  await expect(on(149)).rejects.toThrow('it is of Chromium 150, and this node has 149');
  await expect(on(150)).resolves.toMatchObject({ major: 150 });
  await expect(on(151)).resolves.toMatchObject({ major: 150 });
  await expect(on(undefined)).resolves.toMatchObject({ major: 150 });
});

test('a closed browser leaves nothing in the storage', async () => {
  const { vault, now, aProfile, packedHere } = await fresh();
  await vault.put(await now(), { files: filesOf(await aProfile('rows'), 1e9), at: 1, hasEnded: true }, never);
  await vault.forget(await now());
  expect(await packedHere()).toBe(0);
  expect((await now()).vault).toBeNull();
});

test('a storage that is away holds up no stop: the profile follows when it is back', async () => {
  const { vault, profiles, change, now, aProfile, storage, packedHere, ...parts } = await fresh();
  const stopping = await change({ status: 'stopping' });
  await profiles.keep(await aProfile('rows'), stopping.id);
  await rename(storage, `${storage}-away`);
  await writeFile(storage, 'no folder');
  const stopped = new StoppedProfiles({ ...parts, vault, profiles, log, settled: async () => undefined });
  onTestFinished(() => stopped.close());
  expect(await stopped.keep(stopping, 77)).toBe('follows');
  await change({ status: 'stopped', stoppedAt: 77 });
  expect((await now()).vault).toBeNull();
  await rm(storage);
  await rename(`${storage}-away`, storage);
  await expect.poll(async () => (await now()).vaultAt, { timeout: 60_000 }).toBe(77);
  expect(await packedHere()).toBe(1);
});

test('a hand-over that has time waits for its profile until a storage that is away is back', async () => {
  const { vault, profiles, change, now, aProfile, storage, ...parts } = await fresh();
  const leaving = await change({ status: 'recovering' });
  await profiles.keep(await aProfile('rows'), leaving.id);
  await rename(storage, `${storage}-away`);
  await writeFile(storage, 'no folder');
  const lines = new PassThrough();
  const told = { ...parts, log: createLog('warn', lines) };
  const stopped = new StoppedProfiles({ ...told, vault, profiles, settled: async () => undefined });
  onTestFinished(() => stopped.close());
  const kept = stopped.keep(leaving, 77, performance.now() + 150_000);
  // It has failed once.
  await once(lines, 'data');
  await rm(storage);
  await rename(`${storage}-away`, storage);
  expect(await kept).toBe('put');
  expect((await now()).vaultAt).toBe(77);
});

test('what a service did not get to before it ended is put by its next start', async () => {
  const { vault, profiles, change, now, aProfile, ...parts } = await fresh();
  const record = await change({ status: 'stopped', stoppedAt: 77 });
  await profiles.keep(await aProfile('rows'), record.id);
  const stopped = new StoppedProfiles({ ...parts, vault, profiles, log, settled: async () => undefined });
  await stopped.catchUp([record]);
  const put = await now();
  expect(put.vaultAt).toBe(77);
  // There is nothing newer, so nothing is put again.
  await stopped.catchUp([put]);
  expect((await now()).vault).toBe(put.vault);
  await stopped.close();
});

test('a browser comes back with its own folder at home, with the packed one elsewhere, and says how old that is', async () => {
  const { vault, profiles, browser, change, aProfile } = await fresh();
  const on = (nodeId: string) => ({ vault, profiles, log, nodeId, owner: undefined });
  const running = await change({ status: 'ready', nodeId: 'node_1' });
  const put = async (hasEnded: boolean) => {
    const files = filesOf(await aProfile('packed'), 1e9);
    await vault.put(running, { files, at: Date.now() - 600_000, hasEnded }, never);
  };
  await put(false);
  await profiles.assign(await aProfile('at home'), browser.id);

  const lostMachine = { ...(await change({ status: 'recovering' })), epoch: 2 };
  const atHome = await restoreFolder(on('node_1'), lostMachine, 1, never);
  expect(atHome).toMatchObject({ isOlder: false, lost: [] });
  expect(await rowsIn(atHome.folder ?? '')).toBe('at home');

  const elsewhere = await restoreFolder(on('node_2'), lostMachine, 1, never);
  expect(await rowsIn(elsewhere.folder ?? '')).toBe('packed');
  expect(elsewhere).toMatchObject({
    isOlder: true,
    lost: [expect.stringContaining('saved then, 10 min ago')],
  });

  await put(true);
  const stopped = await change({ status: 'resuming', epoch: 2 });
  expect(await restoreFolder(on('node_2'), stopped, 1, never)).toMatchObject({ isOlder: false, lost: [] });
  // It ran once more since, on a machine that was lost before it could save anything.
  expect(await restoreFolder(on('node_2'), stopped, 2, never)).toMatchObject({ isOlder: true });
});

test('without a packed profile, or with one that does not open, it comes back with the checkpoint alone, and says why', async () => {
  const { vault, profiles, now, change, aProfile, storage } = await fresh();
  const parts = { vault, profiles, log, nodeId: 'node_2', owner: undefined };
  const none = await restoreFolder(parts, await change({ nodeId: 'node_1', status: 'recovering' }), 1, never);
  expect(none).toEqual({ isOlder: false, lost: [expect.stringContaining('had not been saved yet')] });

  await vault.put(await now(), { files: filesOf(await aProfile('rows'), 1e9), at: 1, hasEnded: true }, never);
  const { vault: id } = await now();
  const [path] = (await readdir(storage, { recursive: true })).filter((name) => name.endsWith(id ?? ''));
  const bytes = await readFile(join(storage, path ?? ''));
  bytes[bytes.length - 30] = (bytes[bytes.length - 30] ?? 0) ^ 1;
  await writeFile(join(storage, path ?? ''), bytes);
  const damaged = await restoreFolder(parts, await now(), 1, never);
  expect(damaged).toEqual({ isOlder: false, lost: [expect.stringContaining('could not be used')] });

  await rm(join(storage, path ?? ''));
  const gone = await restoreFolder(parts, await now(), 1, never);
  expect(gone.lost).toEqual([expect.stringContaining('no longer in the shared storage')]);
  expect(await profiles.find((await now()).id)).toBeUndefined();
});

test('a resume elsewhere waits for the profile that its home is about to put, not for a home that is gone', async () => {
  const { vault, store, now, change, aProfile } = await fresh();
  const on = (nodeId: string, isUp: boolean) => ({ store, nodeId, isUp: () => isUp });
  const stopped = await change({ status: 'stopped', nodeId: 'node_1', stoppedAt: 77 });
  await untilWhole(on('node_1', true), stopped, never);
  await untilWhole(on('node_2', false), stopped, never);
  await expect(untilWhole(on('node_2', true), stopped, never, 1)).rejects.toThrow(
    'on its way from node node_1',
  );
  const waiting = untilWhole(on('node_2', true), stopped, never, 60_000);
  const files = filesOf(await aProfile('rows'), 1e9);
  await vault.put(await now(), { files, at: 77, hasEnded: true }, never);
  await waiting;
});

test('the folder of a browser that was closed elsewhere, or went on there, is removed; that of one at home stays', async () => {
  const { store, profiles, browser, change, aProfile } = await fresh();
  const { projectId } = browser;
  const [closed, moved, running] = [
    aBrowser({ projectId, status: 'closed', nodeId: 'node_1' }),
    aBrowser({ projectId, status: 'ready', nodeId: 'node_2' }),
    aBrowser({ projectId, status: 'ready', nodeId: 'node_2' }),
  ];
  for (const other of [closed, moved, running]) await store.browsers.insert(other, []);
  await change({ status: 'stopped', nodeId: 'node_1' });
  for (const { id } of [browser, closed, moved]) await profiles.keep(await aProfile('rows'), id);
  await profiles.assign(await aProfile('rows'), running.id);
  await using _looking = removeLeftovers(
    { store, profiles, log, nodeId: 'node_1', bootId: 'boot 1', turn: new KeyedMutex() },
    10,
  );
  await expect.poll(() => profiles.browserIds()).toEqual([browser.id]);
  expect(await rowsIn((await profiles.find(browser.id)) ?? '')).toBe('rows');
});
