import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { exit, get, local, openSite, soon } from './egress.fixture.ts';
import type { Refusal } from './way/failures.ts';

const address = '127.1.0.1';

/** Dialled at an address of its own, as a browser context dials it inside a network namespace. */
async function branched() {
  const listener = createServer().listen(0, address);
  await once(listener, 'listening');
  const egress = await exit({ listener });
  return { egress, dialled: { host: address, port: egress.port }, url: `http://${address}:${egress.port}` };
}

test('a branch has rules, refusals and traffic of its own', async () => {
  const site = await openSite();
  const { egress, dialled, url } = await branched();
  const refusals: Refusal[] = [];
  const branch = egress.branch(address, { onRefused: (refusal) => refusals.push(refusal) });
  expect(branch.url).toBe(url);
  egress.allow(local);
  const page = `http://127.0.0.1:${site.port}/`;
  expect((await get(dialled, page)).headers['x-browserd-refused']).toBe('not_allowed_yet');
  branch.allow({});
  expect((await get(dialled, page)).headers['x-browserd-refused']).toBe('private_address');
  branch.allow(local);
  expect((await get(dialled, page)).status).toBe(200);
  expect(refusals.map(({ rule }) => rule)).toEqual(['not_allowed_yet', 'private_address']);
  expect(egress.refusals).toEqual([]);
  expect(branch.stats()).toMatchObject({ refused: 2 });
  expect(branch.stats().bytesIn).toBeGreaterThan(0);
  expect(egress.stats()).toMatchObject({ refused: 0, bytesIn: 0 });
});

test('an address without a branch leads nowhere, also when it had one', async () => {
  const site = await openSite();
  const { egress, dialled } = await branched();
  egress.allow(local);
  const page = `http://127.0.0.1:${site.port}/`;
  await expect(get(dialled, page)).rejects.toThrow();
  const branch = egress.branch(address, {});
  branch.allow(local);
  expect((await get(dialled, page)).status).toBe(200);
  await branch.close();
  await expect(get(dialled, page)).rejects.toThrow();
  expect(branch.stats().connections).toBe(0);
});

test('a branch ends with its sockets, alone or with the exit', async () => {
  const site = await openSite();
  const { egress, dialled } = await branched();
  const slow = `http://127.0.0.1:${site.port}/slow`;
  for (const end of [(branch: { close(): Promise<void> }) => branch.close(), () => egress.close()]) {
    const branch = egress.branch(address, {});
    branch.allow(local);
    const cut = expect(get(dialled, slow)).rejects.toThrow();
    await soon(() => branch.stats().connections).toBe(1);
    await end(branch);
    await cut;
    expect(branch.stats().connections).toBe(0);
  }
});
