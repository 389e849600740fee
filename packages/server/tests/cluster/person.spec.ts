import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from '../../src/chromium/start/find.ts';
import { startCluster, type TestCluster, type TestNode } from '../support/cluster.ts';
import { eventually, untilStatus } from '../support/server.ts';

/**
 * A person was asked to take over, and the browser moves to another node before. Leases are not over within a test: that a
 * service is lost, only its witness says.
 */
let cluster: TestCluster;
let web: Browser;
let one: TestNode;
let other: TestNode;

beforeAll(async () => {
  const found = await findChromium({ chromiumPath: null, env: process.env, forAnotherUser: false });
  [cluster, web] = await Promise.all([
    startCluster({ nodes: 2, witness: true, lease: '10m' }),
    chromium.launch({ executablePath: (found.shell ?? found.full)?.path }),
  ]);
  [one, other] = cluster.nodes as [TestNode, TestNode];
});
afterAll(async () => {
  await web?.close();
  await cluster?.[Symbol.asyncDispose]();
});

const request = { body: { message: 'Please sign in.' } };
const handoffOf = async (node: TestNode, id: string) =>
  (await node.api.call('GET', `/v1/browsers/${id}/handoff`)).body;

/** On the first node; the person is asked through the other, whose address works on when the first has gone. */
async function askedBrowser() {
  const { body } = await one.api.create();
  expect(await cluster.holderOf(body.id)).toBe(one);
  const asked = await other.api.call('POST', `/v1/browsers/${body.id}/handoff`, request);
  expect(asked.status).toBe(201);
  return { id: body.id as string, asked: asked.body };
}

/** The page of the live address, and the pictures that came over each of its connections. */
async function openViewer(url: string) {
  const context = await web.newContext();
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  const pictures: number[] = [];
  page.on('websocket', (socket) => {
    const nth = pictures.push(0) - 1;
    socket.on('framereceived', ({ payload }) => {
      if (typeof payload !== 'string') pictures[nth] = (pictures[nth] ?? 0) + 1;
    });
  });
  await page.goto(url);
  await expect.poll(() => pictures[0] ?? 0).toBeGreaterThan(0);
  return { page, pictures };
}

test('browsers that wait for a person are listed by every node', async () => {
  const { id, asked } = await askedBrowser();
  const waiting = async (node: TestNode) =>
    (await node.api.call('GET', '/v1/browsers?handoff=requested')).body.items;
  const { state, message, since } = asked;
  expect(await waiting(one)).toMatchObject([{ id, handoff: { state, message, since } }]);
  const [told] = await eventually(
    () => waiting(other),
    (items) => items.length === 1,
  );
  expect(told).toMatchObject({ id, handoff: { state, message, since } });
  await one.api.call('DELETE', `/v1/browsers/${id}/handoff`);
  expect(await waiting(one)).toEqual([]);
  await eventually(
    () => waiting(other),
    (items) => items.length === 0,
  );
  await one.api.remove(id);
});

test('a node that stops: the request lives on, and the page of the viewer connects again by itself', async () => {
  const { id, asked } = await askedBrowser();
  const { page, pictures } = await openViewer(asked.url);
  expect(await one.stop()).toMatchObject({ code: 0 });
  await untilStatus(other.api, id, 'ready');
  expect(await cluster.holderOf(id)).toBe(other);
  const { state, message, since } = asked;
  expect(await handoffOf(other, id)).toEqual({ state, message, since });
  const { body: waiting } = await other.api.call('GET', '/v1/browsers?handoff=requested');
  expect(waiting.items).toMatchObject([{ id, handoff: { state, message } }]);

  await expect.poll(() => pictures.slice(1).some((count) => count > 0)).toBe(true);
  await page.getByRole('button', { name: 'Take over' }).click();
  await eventually(
    () => handoffOf(other, id),
    (handoff) => handoff.state === 'person',
  );
  await page.getByRole('button', { name: 'Hand back' }).click();
  expect(
    await eventually(
      () => handoffOf(other, id),
      (handoff) => handoff.state === 'scripts',
    ),
  ).toMatchObject({ ended: 'returned' });
  await page.context().close();
  await other.api.remove(id);
  await one.start();
});

test('a service that is killed: the request that was saved with the state of the browser lives on', async () => {
  const { id, asked } = await askedBrowser();
  await eventually(
    () => cluster.sql<{ at: string }>('select at from checkpoints where browser_id = $1', [id]),
    ([checkpoint]) => Number(checkpoint?.at ?? 0) > new Date(asked.since).getTime(),
  );
  process.kill(await one.servicePid(), 'SIGKILL');
  await one.process.exited;
  await untilStatus(other.api, id, 'ready');
  const { state, message, since } = asked;
  expect(await handoffOf(other, id)).toEqual({ state, message, since });
  await other.api.call('DELETE', `/v1/browsers/${id}/handoff`);
  expect(await handoffOf(other, id)).toMatchObject({ state: 'scripts', ended: 'withdrawn' });
  await other.api.remove(id);
  await one.start();
});
