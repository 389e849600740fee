import { afterAll, beforeAll, expect, test } from 'vitest';
import { harText } from '../support/network-client.ts';
import { expectNoSecret, password, type SecretWorld, secretWorld } from '../support/secret-client.ts';

let world: SecretWorld;
beforeAll(async () => {
  world = await secretWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

test('the value of a secret is in no log, no body and no HAR, not even in a revealed one', async () => {
  const { api, browserId, scripts, signIn } = world;
  await signIn();
  await scripts.resultOf(
    `return page.evaluate(async () => {
      const value = document.querySelector('#password').value;
      await fetch('/leak?q=' + encodeURIComponent(value), { method: 'POST', body: JSON.stringify({ note: value }),
        headers: { 'content-type': 'application/json', 'x-note': encodeURIComponent(value) } }).catch(() => 0);
      return 1 })`,
  );
  const list = await api.call('GET', `/v1/browsers/${browserId}/network?limit=100`);
  const leak = list.body.items.find(({ url }: { url: string }) => new URL(url).pathname === '/leak');
  expect(leak).toBeDefined();
  expectNoSecret(list.body);
  for (const reveal of [false, true]) {
    const detail = await api.call('GET', `/v1/browsers/${browserId}/network/${leak.id}?reveal=${reveal}`);
    expect(detail.status).toBe(200);
    expectNoSecret(detail.body);
    const har = await harText(world.server, browserId, { bodies: 'all', reveal });
    expect(har).toContain('/leak');
    expectNoSecret(JSON.parse(har));
    expect(har).not.toContain(password);
  }
});
