/** What a hostile caller asks for: answers that are large, in each of the ways in which they are given. */
import { again, browsers, create, inBrowsers, type World } from './world.ts';

type Attack = (world: World) => Promise<void>;

/** Just within the limit of a result. */
const code = 'return Array(4e6).fill(0)';

const asStream = { accept: 'text/event-stream' };
const ofMcp = { accept: 'application/json, text/event-stream' };

/** Each browser gives such results one after another. */
const results =
  (path: (id: string) => string, body: (id: string) => object, headers: Record<string, string>): Attack =>
  (world) =>
    inBrowsers(world, async (id) => {
      while (!world.until.aborted) {
        const { status, text } = await world.ask('POST', path(id), body(id), { headers });
        world.did('kB of answers', Math.round(text.length / 1e3));
        if (status !== 200) return;
      }
    });

const callOfRun = (browserId: string): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'browser_run', arguments: { browserId, code, observe: 'none' } },
});

/** As large as a create takes. */
const largePolicy = (world: World): object => ({
  privateAccess: { localhost: true },
  rules: Array.from({ length: 3 }, (_, n) => ({
    match: { url: `${world.site}/${n}` },
    do: { action: 'respond', body: 'x'.repeat(260_000) },
  })),
});

export const answerAttacks: Record<string, Attack> = {
  'answers: results of 8 MB': results(
    (id) => `/v1/browsers/${id}/script/execute`,
    () => ({ code }),
    {},
  ),
  'answers: results of 8 MB in a stream of events': results(
    (id) => `/v1/browsers/${id}/script/execute`,
    () => ({ code }),
    asStream,
  ),
  'answers: results of 8 MB by MCP': results(() => '/mcp', callOfRun, ofMcp),
  'answers: lists of browsers with large policies': async (world) => {
    const policy = largePolicy(world);
    let made = 0;
    const making = again(world, async () => {
      if (made >= 100) return void (await new Promise((resolve) => setTimeout(resolve, 1000)));
      const id = await create(world, { policy });
      made++;
      await world.ask('DELETE', `/v1/browsers/${id}`);
    });
    const listing = Array.from({ length: 4 * browsers }, () =>
      again(world, async () => {
        const { text } = await world.ask('GET', '/v1/browsers?limit=100');
        world.did('MB of lists', Math.round(text.length / 1e6));
      }),
    );
    await Promise.all([making, ...listing]);
  },
};
