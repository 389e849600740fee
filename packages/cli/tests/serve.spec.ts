import { expect, test } from 'vitest';
import { eventually, makeFolders } from '../../server/tests/server.ts';
import { commandLine } from './command-line.ts';

test('serve runs the service, passes on Ctrl-C, and takes the service along when it is killed', async () => {
  await using first = await makeFolders({ BROWSERD_POOL_SIZE: '0', BROWSERD_RUNNER_POOL_SIZE: '0' });
  await using second = await makeFolders({ BROWSERD_POOL_SIZE: '0', BROWSERD_RUNNER_POOL_SIZE: '0' });
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

  services[0].child.kill('SIGINT');
  services[1].child.kill('SIGKILL');
  expect((await services[0].ended).code).toBe(0);
  for (const url of urls)
    await eventually(
      () => answers(url),
      (alive) => !alive,
    );
});
