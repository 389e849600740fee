import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { filesIn, processesOf } from '../support/leaks.ts';
import { makeFolders, spawnServer } from '../support/server.ts';

describe('the service is asked to stop', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    test(`on ${signal} it stops its browsers with their state saved and leaves nothing behind`, async () => {
      await using folders = await makeFolders({ BROWSERD_POOL_SIZE: '2' });
      const { env, scratchDir } = folders;
      const first = await spawnServer(env);
      const { body: browser } = await first.api.create({ name: 'kept' });
      first.child.kill(signal);
      expect(await first.exited).toEqual({ code: 0, signal: null });
      expect(processesOf(scratchDir)).toEqual([]);
      expect(await filesIn(scratchDir)).toEqual([]);

      const second = await spawnServer(env);
      expect((await second.api.get(browser.id)).body).toMatchObject({
        status: 'stopped',
        statusReason: 'the service was shut down',
      });
      expect((await second.api.resume(browser.id)).body).toMatchObject({ status: 'ready', epoch: 2 });
      second.child.kill('SIGTERM');
      await second.exited;
    });

  test('a create that is running is finished and answered', async () => {
    await using folders = await makeFolders();
    const { env } = folders;
    const server = await spawnServer(env);
    const creating = server.api.create({ engine: 'full' });
    await expect.poll(async () => (await server.api.call('GET', '/v1/browsers')).body.items.length).toBe(1);
    server.child.kill('SIGTERM');
    expect(await creating).toMatchObject({ status: 201, body: { status: 'ready' } });
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  test('a client that never finishes its request does not hold it up', async () => {
    await using folders = await makeFolders({ BROWSERD_SHUTDOWN_GRACE: '200ms' });
    const { env } = folders;
    const server = await spawnServer(env);
    const slow = request(`${server.api.url}/v1/browsers`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.api.key}`,
        'idempotency-key': 'slow',
        'content-type': 'application/json',
        'content-length': '1000',
      },
    });
    slow.on('error', () => undefined);
    await new Promise<void>((resolve) => slow.write('{', () => resolve()));
    server.child.kill('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  test('a second service on the same data folder refuses to start and says why', async () => {
    await using folders = await makeFolders();
    const { env } = folders;
    const server = await spawnServer(env);
    await expect(spawnServer(env)).rejects.toThrow(/in use by another browserd/);
    server.child.kill('SIGTERM');
    await server.exited;
  });

  test('a wrong setting is named before anything starts', async () => {
    await using folders = await makeFolders({});
    const { env } = folders;
    await expect(spawnServer({ ...env, BROWSERD_POOLSIZE: '3' })).rejects.toThrow(/BROWSERD_POOL_SIZE/);
    await expect(spawnServer({ ...env, BROWSERD_PORT: 'eighty' })).rejects.toThrow(/BROWSERD_PORT is wrong/);
    await expect(
      spawnServer({ ...env, BROWSERD_HOST: '0.0.0.0', BROWSERD_ISOLATION: 'process' }),
    ).rejects.toThrow(/isolated strictly/);
  });
});
