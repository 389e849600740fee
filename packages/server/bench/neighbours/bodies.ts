/** What a hostile caller sends: bodies that are refused for their size, and large ones where they are taken and read. */
import { again, create, type World } from './world.ts';

type Attack = (world: World) => Promise<void>;

const atOnce = 4;

async function posting(world: World, path: string, body: string): Promise<void> {
  const headers = { accept: 'application/json, text/event-stream' };
  const one = () =>
    again(world, async () => {
      const { status } = await world.ask('POST', path, body, path === '/mcp' ? { headers } : {});
      if (status === 429) throw new Error('too fast');
    });
  await Promise.all(Array.from({ length: atOnce }, one));
}

const post =
  (path: string, body: () => string): Attack =>
  (world) =>
    posting(world, path, body());

/** Made when it is its turn: each holds some megabytes. */
const manyMembers = (times: number, value = '1'): string =>
  Array.from({ length: times }, (_, n) => `"k${n}":${value}`).join();

/** A body may hold 100,000 values. */
const mostValues = 99_000;

const toScript =
  (body: () => string): Attack =>
  async (world) =>
    posting(world, `/v1/browsers/${await create(world)}/script/execute`, body());

const batch = (items: number, item: object): string =>
  JSON.stringify({ kind: 'batch', items: Array.from({ length: items }, () => item) });

export const bodyAttacks: Record<string, Attack> = {
  'body: 7 MB where 1 MB is taken': post('/v1/browsers', () => `{"metadata":{${manyMembers(600_000)}}}`),
  'body: 7 MB to /mcp, which takes 1 MB': post('/mcp', () => `{"params":{${manyMembers(600_000)}}}`),
  'body: 30,000 faults': post('/v1/browsers', () =>
    JSON.stringify({ cookies: Array.from({ length: 30_000 }, (_, n) => ({ nme: `c${n}`, value: 1 })) }),
  ),
  'body: 1 MB of small values to /mcp': post(
    '/mcp',
    () => `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{${manyMembers(80_000)}}}`,
  ),
  'body: 600,000 small values for a script': toScript(
    () => `{"code":"return 1","args":{${manyMembers(600_000)}}}`,
  ),
  'body: 99,000 values in 10 MB for a script': toScript(
    () => `{"code":"return 1","args":{${manyMembers(mostValues, `"${'x'.repeat(88)}"`)}}}`,
  ),
  'body: 10 MB for a script, which the schema refuses': toScript(() =>
    JSON.stringify({ code: 'return 1', args: 'x'.repeat(9.9e6), zzz: 1 }),
  ),
  'body: 10 MB of html for a quick action': post('/v1/scrape', () =>
    JSON.stringify({ html: '<p>some words <a href=/a>link</a>'.repeat(290_000) }),
  ),
  'body: 10 MB of quotation marks for a quick action': post('/v1/scrape', () =>
    JSON.stringify({ html: '"'.repeat(4.9e6) }),
  ),
  'body: batches of 10,000 items in 10 MB': post('/v1/jobs', () =>
    batch(10_000, { html: `<p>${'x'.repeat(900)}` }),
  ),
  'body: batches of 10,000 faults': post('/v1/jobs', () => batch(10_000, { nothing: 1, html: 1 })),
};
