import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually, makeFolders } from '../../server/tests/support/server.ts';
import { commandLine } from './command-line.ts';

test('serve runs the service, passes on Ctrl-C, and takes the service along when it is killed', async () => {
  // No proxy listens there: what goes there fails.
  const proxied = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9' };
  const small = { BROWSERD_POOL_SIZE: '0', BROWSERD_RUNNER_POOL_SIZE: '0' };
  await using first = await makeFolders({ ...small, ...proxied });
  await using second = await makeFolders(small);
  await using cli = await commandLine({ BROWSERD_URL: 'http://client.example.com' });
  const serve = ({ env, dataDir }: typeof first) =>
    cli.start(['serve', '--port', '0', '--data-dir', dataDir], { env });
  const services = [serve(first), serve(second)] as const;
  const urls = await Promise.all(
    services.map(async ({ printed }) => /address +(\S+)/.exec(await printed(/Ctrl-C stops/))?.[1] ?? ''),
  );
  const answers = (url: string): Promise<boolean> =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  expect(await Promise.all(urls.map(answers))).toEqual([true, true]);
  expect(await toolAnswer(urls[0] ?? '', first.dataDir)).toContain('"browsers":[]');

  services[0].child.kill('SIGINT');
  services[1].child.kill('SIGKILL');
  expect((await services[0].ended).code).toBe(0);
  for (const url of urls)
    await eventually(
      () => answers(url),
      (alive) => !alive,
    );
});

/** Of a tool, for which the service calls itself with the key. */
async function toolAnswer(url: string, dataDir: string): Promise<string> {
  const key = (await readFile(join(dataDir, 'admin-key'), 'utf8')).trim();
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'browser_list', arguments: {} },
  };
  const headers = {
    authorization: `Bearer ${key}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  const answer = await fetch(`${url}/mcp`, { method: 'POST', headers, body: JSON.stringify(call) });
  return answer.text();
}
