import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '../../server/src/store/records.ts';
import { openStore } from '../../server/src/store/store.ts';
import { makeKey } from '../../server/tests/support/keys.ts';
import { addNode, newWindow, startUser, type User } from './dashboard-client.ts';

let user: User;
let store: Store;
let page: Page;

beforeAll(async () => {
  user = await startUser();
  store = await openStore({ databaseUrl: null, dataDir: user.server.dataDir });
  page = await enter(user.server.api.key);
});
afterAll(async () => {
  await store?.close();
  await user?.[Symbol.asyncDispose]();
});

async function enter(key: string): Promise<Page> {
  const own = await newWindow(user);
  await own.goto(`${user.server.api.url}/app/nodes`);
  await own.getByLabel('API key').fill(key);
  await own.getByRole('button', { name: 'Sign in' }).click();
  await own.getByRole('heading', { name: 'Nodes', exact: true }).waitFor();
  return own;
}

const rowOf = (id: string, where = page) => where.getByRole('row').filter({ hasText: id });

test('a service that works alone shows itself, and cannot be drained', async () => {
  const { items } = (await user.server.api.call('GET', '/v1/nodes')).body;
  const row = rowOf(items[0].id);
  await expect.poll(() => row.innerText()).toMatch(/answers you · works alone[\s\S]*up[\s\S]*0 of \d+/);
  await page.getByText('This service works alone.').waitFor();
  expect(await page.getByRole('button', { name: /^Drain/ }).count()).toBe(0);
});

test('nodes that come are shown with their load and version; one is drained after a question', async () => {
  const other = await addNode(user, { version: '9.9.9', zone: 'eu-1a' });
  await expect
    .poll(() => rowOf(other.id).innerText())
    .toMatch(/eu-1a[\s\S]*12 of 40[\s\S]*3 warm[\s\S]*9\.9\.9/);
  await page.getByText('Nodes run different versions').waitFor();
  await page.getByRole('button', { name: `Drain ${other.id}` }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.innerText()).toContain('Its 12 browsers move');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect((await user.server.api.call('GET', `/v1/nodes/${other.id}`)).body.state).toBe('up');
  await page.getByRole('button', { name: `Drain ${other.id}` }).click();
  await dialog.getByRole('button', { name: 'Drain node' }).click();
  await rowOf(other.id).getByText('draining').waitFor();
  expect(await page.getByRole('button', { name: `Drain ${other.id}` }).count()).toBe(0);
  await store.nodes.leave(other.bootId);
  await rowOf(other.id).getByText('gone').waitFor();
});

test('a refusal stays in the question', async () => {
  const other = await addNode(user);
  await page.getByRole('button', { name: `Drain ${other.id}` }).click();
  await store.nodes.leave(other.bootId);
  await page.getByRole('dialog').getByRole('button', { name: 'Drain node' }).click();
  await page.getByRole('dialog').getByText('NODE_NOT_FOUND').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
});

test('members and admins of other projects are told who may see nodes', async () => {
  const { key } = (await user.server.api.call('POST', '/v1/keys', { body: { name: 'm', role: 'member' } }))
    .body;
  const member = await enter(key);
  await member.getByText('Nodes need an admin key').waitFor();
  const stranger = await enter(await makeKey(user.server.dataDir, { project: 'stranger' }));
  await stranger.getByText('Nodes belong to the operator').waitFor();
  for (const own of [member, stranger]) await own.context().close();
  expect(user.troubles).toEqual([]);
});
