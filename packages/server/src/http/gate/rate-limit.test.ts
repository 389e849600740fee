import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { ApiError } from '../../errors.ts';
import { type App, notePassedOn } from '../wire/wire.ts';
import { createLimit } from './rate-limit.ts';

/** How many of so many requests one caller gets through. */
async function allowed(asked: number, app: App): Promise<number> {
  let passed = 0;
  for (let n = 0; n < asked; n++) if ((await app.inject('/')).statusCode === 200) passed++;
  return passed;
}

async function limited(
  perMinute: number,
  { nodes, passedOn = false }: { nodes?: () => number; passedOn?: boolean } = {},
): Promise<App> {
  const app = fastify() as unknown as App;
  app.setErrorHandler((error, _request, reply) => {
    void reply.code(error instanceof ApiError ? error.status : 500).send();
  });
  const limit = await createLimit(app, perMinute, nodes);
  if (passedOn) app.addHook('onRequest', async ({ raw }) => notePassedOn(raw, 'node_a'));
  app.addHook('onRequest', limit);
  app.get('/', async () => 'here');
  return app;
}

test('a node alone has the whole limit', async () => {
  expect(await allowed(15, await limited(10))).toBe(10);
});

test('nodes share the limit, and each has its part', async () => {
  expect(await allowed(15, await limited(10, { nodes: () => 3 }))).toBe(4);
});

test('what another node has counted is not counted again', async () => {
  expect(await allowed(15, await limited(10, { passedOn: true }))).toBe(15);
});
