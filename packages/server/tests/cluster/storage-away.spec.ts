import { rename, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster, type TestNode } from '../support/cluster.ts';
import { eventually, untilStatus } from '../support/server.ts';
import { type Site, type StateReport, startSite } from '../support/site.ts';

/**
 * A node goes while the storage that all nodes share cannot be written. What only its profile has, such as IndexedDB, is the
 * proof that nothing of a browser is lost. No profile is saved while a browser runs: that takes minutes.
 */
let cluster: TestCluster;
let site: Site;
let hasty: TestNode;
let patient: TestNode;
const policy = { privateAccess: { localhost: true } };
const graces = ['1s', '5m'];

beforeAll(async () => {
  const each = (index: number) => ({ BROWSERD_SHUTDOWN_GRACE: graces[index] });
  [cluster, site] = await Promise.all([startCluster({ nodes: 2, each }), startSite()]);
  [hasty, patient] = cluster.nodes as [TestNode, TestNode];
});
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await site?.close();
});

/** As when the share is not mounted: what is put there fails. The return value brings it back. */
async function takeStorageAway(): Promise<() => Promise<void>> {
  const folder = hasty.folders.env.BROWSERD_BLOBS ?? '';
  await rename(folder, `${folder}-away`);
  await writeFile(folder, 'no folder');
  return async () => {
    await rm(folder);
    await rename(`${folder}-away`, folder);
  };
}

const reportOf = (name: string): Promise<StateReport> => site.nextReport((report) => report.name === name);

/** On this node, with something in its IndexedDB. */
async function browserOn(node: TestNode, name: string): Promise<string> {
  const { status, body } = await node.api.create({ policy, startUrl: `${site.origin}/state?name=${name}` });
  expect(status, JSON.stringify(body)).toBe(201);
  expect(await cluster.holderOf(body.id)).toBe(node);
  await eventually(
    () => node.api.status(body.id),
    ({ body: { activeTab } }) => activeTab?.title === `kept ${name}`,
  );
  return body.id;
}

test('in time for neither: its browser is stopped, says where its profile is, and loses nothing of it', async () => {
  const id = await browserOn(hasty, 'hasty');
  const bringBack = await takeStorageAway();
  try {
    expect(await hasty.stop()).toMatchObject({ code: 0 });
    const { body } = await patient.api.get(id);
    expect(body).toMatchObject({ status: 'stopped', statusReason: 'the service was shut down' });
    const { body: told } = await patient.api.call('GET', `/v1/browsers/${id}/events?type=browser.stopped`);
    const reason = expect.stringContaining(`its profile is on node ${await hasty.id()} alone`);
    expect(told.items).toMatchObject([{ data: { reason } }]);
  } finally {
    await bringBack();
  }
  await hasty.start();
  // The node that has the profile puts it where all nodes find it.
  await eventually(
    () => cluster.sql('select id from browsers where id = $1 and vault_at >= stopped_at', [id]),
    (rows) => rows.length === 1,
  );
  const kept = reportOf('hasty');
  expect(await patient.api.resume(id)).toMatchObject({ status: 200, body: { status: 'ready' } });
  expect(await cluster.holderOf(id)).toBe(patient);
  expect(await kept).toMatchObject({ indexedDb: 'in-indexed-db' });
  await patient.api.remove(id);
});

test('that comes back while it waits: its browser answers until then, and goes on elsewhere with all it had', async () => {
  const id = await browserOn(patient, 'patient');
  const bringBack = await takeStorageAway();
  const { output } = patient.process;
  let stopped: Promise<unknown> = Promise.resolve();
  try {
    stopped = patient.stop();
    await expect.poll(output).toContain('vault.storage_away');
    const answer = await patient.api.call('POST', `/v1/browsers/${id}/script/execute`, {
      body: { code: 'return 6 * 7' },
    });
    expect(answer.body).toMatchObject({ result: 42 });
    expect(await cluster.holderOf(id)).toBe(patient);
  } finally {
    await bringBack();
  }
  const kept = reportOf('patient');
  expect(await stopped).toMatchObject({ code: 0 });
  expect(await kept).toMatchObject({ indexedDb: 'in-indexed-db' });
  await untilStatus(hasty.api, id, 'ready');
  expect(await cluster.holderOf(id)).toBe(hasty);
  await hasty.api.remove(id);
  await patient.start();
});
