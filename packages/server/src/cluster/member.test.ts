import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser } from '../../tests/support/samples.ts';
import { createLog } from '../kit/log.ts';
import type { BrowserRecord, Store } from '../store/records.ts';
import { joinAlone } from './alone.ts';
import { joinMembers, type MemberPace } from './member.ts';

const log = createLog('silent');
const soon = { timeout: 20_000 };
/** A lease so long that no slow machine loses it, with frequent beats. */
const calm: MemberPace = {
  ...{ ttlMs: 60_000, gateMs: 40_000, heartbeatMs: 50, answerMs: 15_000 },
  ...{ headStartMs: 20, pollMs: 50 },
};

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'browserd-node-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const ahead = (ms: number) => ({ monotonic: () => performance.now(), wall: () => Date.now() + ms });

async function fresh() {
  const store = await (await freshDatabase('postgres')).open();
  const { id: projectId } = await store.projects.ensure('default');
  const insert = async (fields: Partial<BrowserRecord>) => {
    const browser = aBrowser({ projectId, ...fields });
    expect(await store.browsers.insert(browser, [])).toBe('inserted');
    return browser;
  };
  const joined = async (name: string, { dataDir = aFolder(), pace = calm } = {}) => {
    const parts = { store, dataDir, log, clusterAddress: `${name}:1`, version: '1.2.3', zone: 'z' };
    const member = await joinMembers(parts, pace);
    onTestFinished(() => member[Symbol.asyncDispose]());
    return member;
  };
  return { store, insert, joined };
}

/** A boot that was killed: it is registered, and says nothing more. */
async function killed(store: Store, bootId: string): Promise<void> {
  const node = { id: `node of ${bootId}`, bootId, startedAt: 1, heartbeatAt: 1, address: `${bootId}:1` };
  await store.nodes.join(node, { ttlMs: 60_000, ownBefore: undefined });
}

test('members see each other, their load, and who holds a browser', async () => {
  const { joined, insert } = await fresh();
  const [a, b] = [await joined('a'), await joined('b')];
  expect(a.alone).toBe(false);
  expect(a.lease.held()).toBe(true);
  b.report(() => ({ used: 1, capacity: 4, warm: 2 }));
  await expect
    .poll(() => a.members().find(({ id }) => id === b.id), soon)
    .toMatchObject({
      ...{ address: 'b:1', state: 'up', version: '1.2.3', zone: 'z', used: 1, capacity: 4, warm: 2 },
    });
  expect(a.members().map(({ id }) => id)).toContain(a.id);
  expect(a.roomiest()).toMatchObject([{ id: b.id }]);
  const browser = await insert({ status: 'ready', holder: b.bootId, epoch: 3 });
  const stopped = await insert({ status: 'stopped' });
  expect(await a.locate(browser.id)).toMatchObject({ at: 'member', epoch: 3, member: { address: 'b:1' } });
  expect(await b.locate(browser.id)).toMatchObject({ at: 'here' });
  expect(await a.locate(stopped.id)).toEqual({ at: 'nowhere', waits: false });
  expect(await a.locate('browser_unknown')).toEqual({ at: 'unknown' });
  expect(await a.secret()).toEqual(await b.secret());
  await b.draining();
  await expect.poll(() => a.roomiest(), soon).toEqual([]);
  const c = await joined('c');
  const theirs = await insert({ status: 'ready', holder: c.bootId });
  expect(await a.locate(theirs.id)).toMatchObject({ at: 'member', member: { id: c.id } });
});

test('a member that gives no sign is buried, and another claims its browsers', async () => {
  const { store, joined, insert } = await fresh();
  await killed(store, 'dead');
  const { id } = await insert({ status: 'ready', holder: 'dead' });
  const survivor = await joined('b', { pace: { ...calm, ttlMs: 1500, gateMs: 1000 } });
  const adopted: BrowserRecord[] = [];
  using _claims = survivor.startClaims(
    (records) => adopted.push(...records),
    () => 2 - adopted.length,
  );
  await expect
    .poll(() => adopted, soon)
    .toMatchObject([{ id, holder: survivor.bootId, status: 'recovering' }]);
  expect(await store.nodes.list()).toMatchObject([{ bootId: 'dead', state: 'gone' }, { state: 'up' }]);
  await expect.poll(() => survivor.members(), soon).toMatchObject([{ id: survivor.id }]);
});

test('claims take no more than there is room for, and go on when told that there is', async () => {
  const { joined, insert, store } = await fresh();
  const a = await joined('a', { pace: { ...calm, pollMs: 600_000 } });
  for (let n = 0; n < 3; n++) await insert({ queuedAt: 1 });
  const adopted: BrowserRecord[] = [];
  let room = 2;
  using claims = a.startClaims(
    (records) => adopted.push(...records),
    () => room - adopted.length,
  );
  await expect.poll(() => adopted.length, soon).toBe(2);
  room = 5;
  claims.look();
  await expect.poll(() => adopted.length, soon).toBe(3);
  await insert({ queuedAt: 1 });
  await expect.poll(() => adopted.length, soon).toBe(4);
  expect(await store.placement.homeless()).toBe(0);
});

test('a member that was declared gone learns it, and holds its lease no more', async () => {
  const { store, joined } = await fresh();
  const a = await joined('a');
  const heard: boolean[] = [];
  a.lease.onChange((held) => heard.push(held));
  await store.nodes.bury(a.bootId, 'lease', 0);
  await expect(a.replaced).resolves.toMatch(/was declared gone/);
  expect(a.lease.held()).toBe(false);
  expect(heard).toEqual([false]);
});

test('a node that is started again buries its boot before and claims what that held before others do', async () => {
  const { joined, insert } = await fresh();
  const dataDir = aFolder();
  const other = await joined('b');
  const first = await joined('a', { dataDir, pace: { ...calm, heartbeatMs: 600_000 } });
  const { id } = await insert({ status: 'ready', holder: first.bootId, nodeId: first.id });
  const second = await joined('a', { dataDir });
  expect(second.id).toBe(first.id);
  const taken: string[] = [];
  using _mine = second.startClaims(
    (records) => taken.push(...records.map(({ id: claimed }) => `home ${claimed}`)),
    () => 5,
  );
  await expect.poll(() => taken, soon).toEqual([`home ${id}`]);
  expect(await other.locate(id)).toMatchObject({ at: 'member', member: { bootId: second.bootId } });
});

test('a copy of the data folder of a member that is alive does not start', async () => {
  const { joined } = await fresh();
  const [dataDir, copy] = [aFolder(), aFolder()];
  const first = await joined('a', { dataDir });
  for (const name of ['node-id', 'boot-id'])
    writeFileSync(join(copy, name), readFileSync(join(dataDir, name)));
  await expect(joined('b', { dataDir: copy })).rejects.toThrow(
    new RegExp(`A copy of this data folder runs as the same node \\(${first.id}\\) at a:1.*remove node-id`),
  );
  expect(first.lease.held()).toBe(true);
});

test('a member does not start beside a service that works alone, nor the other way round', async () => {
  const { store, joined } = await fresh();
  const pace = { heartbeatMs: 20, silenceMs: 60_000, lookEveryMs: 5 };
  const lone = await joinAlone({ store, dataDir: aFolder(), log }, pace);
  await expect(joined('a')).rejects.toThrow(
    /works alone uses this database and is alive.*BROWSERD_CLUSTER_ADDRESS/,
  );
  await lone[Symbol.asyncDispose]();
  await joined('a');
  await expect(joinAlone({ store, dataDir: aFolder(), log }, pace)).rejects.toThrow(
    /Another browserd uses this database and is alive.*BROWSERD_CLUSTER_ADDRESS/,
  );
});

test('a node whose clock is far from that of the database does not start', async () => {
  const { joined, store } = await fresh();
  const at = (ms: number) => joined('a', { pace: { ...calm, clock: ahead(ms) } });
  await expect(at(40_000)).rejects.toThrow(
    /clock of this machine is \d+\.\d s ahead of that of the database/,
  );
  await expect(at(-40_000)).rejects.toThrow(/clock of this machine is \d+\.\d s behind that of the database/);
  expect(await store.nodes.list()).toEqual([]);
});

test('a node whose clock is a little off takes part like any other', async () => {
  const { joined, store, insert } = await fresh();
  const late = await joined('a', { pace: { ...calm, clock: ahead(1500) } });
  const early = await joined('b', { pace: { ...calm, clock: ahead(-1500) } });
  const beaten = (bootId: string) => async () =>
    (await store.nodes.list()).find((node) => node.bootId === bootId)?.renewedAt ?? 0;
  for (const { bootId } of [late, early]) {
    const before = await beaten(bootId)();
    await expect.poll(beaten(bootId), soon).toBeGreaterThan(before);
  }
  expect([late.lease.held(), early.lease.held()]).toEqual([true, true]);
  const { id } = await insert({ status: 'ready', holder: late.bootId });
  expect(await early.locate(id)).toMatchObject({ at: 'member', member: { bootId: late.bootId } });
  expect((await store.nodes.list()).map(({ state }) => state)).toEqual(['up', 'up']);
});
