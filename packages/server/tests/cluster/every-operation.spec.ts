import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster, type TestNode } from '../support/cluster.ts';
import { expectContract } from '../support/contract.ts';
import { named, upload } from '../support/file-client.ts';
import { fillIn, protectedRoutes, type Route } from '../support/openapi-routes.ts';
import { type Site, startSite } from '../support/site.ts';

/**
 * Twins: two browsers of one node, made alike. What the one is asked at its own node, the other is asked through another
 * node, operation by operation. The answers must be the same, but for what no two browsers share.
 */
let cluster: TestCluster;
let site: Site;
let home: TestNode;
let other: TestNode;

interface Twin {
  node: TestNode;
  /** Ids for the path, by the name of the parameter. */
  ids: Record<string, string>;
}
let twins: readonly [direct: Twin, passedOn: Twin];

beforeAll(async () => {
  [cluster, site] = await Promise.all([startCluster({ nodes: 2 }), startSite()]);
  [home, other] = cluster.nodes as [TestNode, TestNode];
  twins = [await makeTwin(home), await makeTwin(other)];
});
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await site?.close();
});

const policy = { privateAccess: { localhost: true } };

async function makeTwin(node: TestNode): Promise<Twin> {
  const created = await home.api.create({ startUrl: site.origin, name: 'twin', policy });
  const { id } = created.body;
  expect(await cluster.holderOf(id)).toBe(home);
  // Both have all of their page.
  await home.api.call('POST', `/v1/browsers/${id}/script/execute`, {
    body: { code: "await page.waitForLoadState('load')" },
  });
  const file = await upload(node.api, id, named('note.txt'), { body: 'kept' });
  const tabs = await node.api.call('GET', `/v1/browsers/${id}/tabs`);
  const { tabId } = tabs.body.items[0];
  const requests = await node.api.call('GET', `/v1/browsers/${id}/network`);
  const requestId = requests.body.items[0].id;
  return { node, ids: { id, fileId: file.body.id, tabId, targetId: tabId, requestId } };
}

/** What ends something comes last. */
const order = [
  'POST /v1/browsers/{id}/recordings',
  'GET',
  'POST /v1/browsers/{id}/recordings/{recordingId}/stop',
  // Whether a person was asked for is known to the node alone, and the next life may be on another.
  'DELETE /v1/browsers/{id}/handoff',
  'POST /v1/browsers/{id}/stop',
  'POST /v1/browsers/{id}/resume',
  'DELETE /v1/browsers/{id}/',
  'GET /v1/browsers/{id}/cdp/json/close/{targetId}',
  'DELETE /v1/browsers/{id}',
];
const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
const placeOf = (route: Route): number => {
  const exact = order.indexOf(nameOf(route));
  if (exact >= 0) return exact;
  if (route.method === 'DELETE') return order.indexOf('DELETE /v1/browsers/{id}/');
  return route.method === 'GET' ? 1 : 1.5;
};
const operations = protectedRoutes
  .filter(({ params }) => params.includes('id'))
  .toSorted((a, b) => placeOf(a) - placeOf(b));

/** Where the example of the document asks for the network, or for time. */
const bodies = (): Record<string, unknown> => ({
  'POST /v1/browsers/{id}/script/execute': { code: 'return [await page.title(), 1 + 1]' },
  'POST /v1/browsers/{id}/tabs': { url: `${site.origin}/other` },
  'POST /v1/browsers/{id}/captcha/resolve': { timeoutMs: 1000 },
  'POST /v1/browsers/{id}/secrets/fill': { secret: 'no/such', selector: 'h1', timeoutMs: 1000 },
});

async function ask(route: Route, { node, ids }: Twin) {
  const path =
    fillIn(route, ids) + (nameOf(route) === 'POST /v1/browsers/{id}/files' ? named('new.txt') : '');
  const body = bodies()[nameOf(route)] ?? route.example;
  const response = await fetch(node.api.url + path, {
    method: route.method,
    headers: {
      authorization: `Bearer ${node.api.key}`,
      'idempotency-key': randomUUID(),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(route.method !== 'GET' && { body: body === undefined ? bytesFor(route) : JSON.stringify(body) }),
  });
  const type = response.headers.get('content-type') ?? '';
  const text = await response.text();
  const answer = { status: response.status, body: type.includes('json') ? JSON.parse(text) : text };
  if (type.includes('json') && !path.includes('/cdp/json')) expectContract(route.method, path, answer);
  return { ...answer, type, headers: [...response.headers.keys()].sort() };
}

const bytesFor = (route: Route): string | undefined =>
  nameOf(route) === 'POST /v1/browsers/{id}/files' ? 'bytes' : undefined;

/** Without what differs between any two browsers, or any two moments. */
function alike(value: unknown, { node, ids }: Twin): unknown {
  // A HAR has times in it.
  const isHar = (value as { source?: unknown } | null)?.source === 'har';
  const same = (key: string, each: unknown): unknown =>
    typeof each === 'number' || (isHar && key === 'sha256') ? 0 : each;
  const text = JSON.stringify(value, same)
    .replaceAll(new URL(node.api.url).host, 'HOST')
    .replaceAll(ids.tabId ?? 'none', 'TAB')
    .replaceAll(/\b([a-z]+)_[0-9a-z]{26}\b/g, '$1_ID')
    .replaceAll(/\bobs_[0-9a-f]+/g, 'OBSERVATION')
    .replaceAll(/\bbdc_[\w.-]+/g, 'TOKEN')
    .replaceAll(/\b[0-9A-F]{32}\b/g, 'TARGET')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT/g, 'TIME');
  return JSON.parse(text);
}

test.for(operations.map((route) => [nameOf(route), route] as const))('%s', async ([name, route]) => {
  const [direct, passedOn] = twins;
  const [expected, answer] = [await ask(route, direct), await ask(route, passedOn)];
  expect([answer.status, answer.type]).toEqual([expected.status, expected.type]);
  expect(answer.headers).toEqual(expected.headers);
  if (expected.type.includes('json'))
    expect(alike(answer.body, passedOn)).toEqual(alike(expected.body, direct));
  else expect(answer.body.length > 0).toBe(expected.body.length > 0);
  expect(answer.status).toBeLessThan(500);
  if (name === 'POST /v1/browsers/{id}/recordings')
    for (const [twin, { body }] of [
      [direct, expected],
      [passedOn, answer],
    ] as const)
      twin.ids.recordingId = body.id;
  // The node that was asked to resume it holds it now: from here on the other one is asked.
  if (name === 'POST /v1/browsers/{id}/resume')
    passedOn.node = (await cluster.holderOf(passedOn.ids.id ?? '')) === home ? other : home;
});
