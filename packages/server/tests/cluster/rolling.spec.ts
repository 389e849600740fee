import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../support/cluster.ts';
import { untilStatus } from '../support/server.ts';

/** Three nodes as an operator upgrades them: one after the other, while callers go on. */
let cluster: TestCluster;
let site: Server;
let origin: string;
/** How often each call had its effect. */
const effects = new Map<string, number>();

beforeAll(async () => {
  site = createServer(({ url = '' }, response) => {
    if (/^\/\d+\/\d+$/.test(url)) effects.set(url, (effects.get(url) ?? 0) + 1);
    response.end();
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  cluster = await startCluster({ nodes: 3, witness: true });
});
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  site?.close();
});

/** Whether a call took effect is known, or the caller is told that it is not; what was never begun may be repeated. */
const honest = ['NODE_LOST', 'BROWSER_NOT_READY', 'SERVICE_SHUTTING_DOWN'];

const callersOf = 4;
const roundsAfter = 3;

test('a rolling restart loses no browser, and loses or doubles no call that was answered', async () => {
  const ids: string[] = [];
  for (let n = 0; n < callersOf; n++) {
    const { status, body } = await (cluster.nodes[n % 3]?.api ?? cluster.nodes[0]!.api).create({
      policy: { privateAccess: { localhost: true } },
    });
    expect(status).toBe(201);
    ids.push(body.id);
  }
  let restarted = 0;
  const answered: string[] = [];
  const refused = new Map<string, number>();
  const caller = async (id: string, n: number): Promise<void> => {
    let rounds = 0;
    for (let i = 0; rounds < roundsAfter; i++) {
      if (restarted === cluster.nodes.length) rounds++;
      const up = cluster.nodes.filter((node) => node.runs);
      const node = up[i % up.length];
      if (!node) continue;
      const path = `/${n}/${i}`;
      // Not by going there: a browser that moves shows its pages again.
      const code = `await context.request.post('${origin}${path}')`;
      const answer = await node.api
        .call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } })
        .catch(() => undefined);
      if (answer?.body.success) answered.push(path);
      else {
        const why = answer?.body.error?.code ?? 'no answer';
        refused.set(why, (refused.get(why) ?? 0) + 1);
      }
    }
  };
  const calling = ids.map((id, n) => caller(id, n));
  for (const node of cluster.nodes) {
    expect(await node.stop()).toMatchObject({ code: 0 });
    await node.start();
    restarted++;
  }
  await Promise.all(calling);

  const [node] = cluster.nodes;
  for (const id of ids) await untilStatus(node!.api, id, 'ready');
  expect(answered.length).toBeGreaterThan(callersOf * roundsAfter);
  for (const path of answered) expect([path, effects.get(path)]).toEqual([path, 1]);
  for (const [path, count] of effects) expect([path, count]).toEqual([path, 1]);
  expect([...refused.keys()].filter((why) => !honest.includes(why) && why !== 'no answer')).toEqual([]);
});
