import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { standIn } from '../../cluster/cluster.ts';
import { checkClocks, checkReach } from './cluster.ts';

const secret = randomBytes(32);

async function listening(server: Server, host = '127.0.0.1'): Promise<string> {
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `${host}:${(server.address() as AddressInfo).port}`;
}

/** One that no other program is given while the test runs: it was just free. */
async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `127.0.0.1:${port}`;
}

const findings = (own: string, address: string, key = secret) =>
  Array.fromAsync(checkReach(own, [{ id: 'node_other', address, version: '1.0.0' }], key));

test('nodes that reach each other are told so, whether the service runs here or not', async () => {
  const other = await listening(standIn(secret));
  const own = await freeAddress();
  expect(await findings(own, other)).toMatchObject([
    { state: 'ok', detail: `node_other at ${other}: reached, and it reaches ${own}` },
  ]);
  const running = await listening(standIn(secret));
  expect(await findings(running, other)).toMatchObject([{ state: 'ok' }]);
});

test('a way that is closed is named, with its direction', async () => {
  const other = await listening(standIn(secret));
  const nobody = await freeAddress();
  expect(await findings(await freeAddress(), nobody)).toMatchObject([
    {
      state: 'fail',
      detail: `node_other cannot be reached at ${nobody}: nothing listens there`,
      fix: expect.stringContaining(`connect to ${nobody}`),
    },
  ]);
  // another program has the port: the other node reaches it, and finds no node there
  const foreign = await listening(createServer((_, response) => response.end('hello')));
  expect(await findings(foreign, other)).toMatchObject([
    { state: 'fail', detail: expect.stringContaining(`does not reach ${foreign}`) },
  ]);
  expect(await findings('192.0.2.1:8788', other)).toMatchObject([
    { name: 'cluster address', state: 'fail', fix: expect.stringContaining('BROWSERD_CLUSTER_ADDRESS') },
  ]);
});

test('a node of another cluster is no node', async () => {
  const other = await listening(standIn(randomBytes(32)));
  expect(await findings(await freeAddress(), other)).toMatchObject([
    { state: 'fail', detail: expect.stringContaining('cannot be reached') },
  ]);
});

test('clocks are held against the database, as at the start of a node', async () => {
  const at = (offMs: number) =>
    checkClocks('postgres://none', async () => ({ version: '18', clock: Date.now() + offMs }));
  expect(await at(0)).toMatchObject({ state: 'ok' });
  expect(await at(5000)).toMatchObject({ state: 'warn', fix: expect.stringContaining('NTP') });
  expect(await at(-40_000)).toMatchObject({
    state: 'fail',
    detail: expect.stringMatching(/by (39|40)\.\d s/),
  });
});
