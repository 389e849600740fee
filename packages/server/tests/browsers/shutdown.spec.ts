import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { filesIn, processesOf } from '../support/leaks.ts';
import { makeFolders, spawnServer, startServer } from '../support/server.ts';

/** A service in this process on the folders of one that has ended: it finds the browser as that one left it. */
async function expectKept(env: Record<string, string>, id: string): Promise<void> {
  await using next = await startServer({ ...env, BROWSERD_POOL_SIZE: '0' });
  expect((await next.api.get(id)).body).toMatchObject({
    status: 'stopped',
    statusReason: 'the service was shut down',
  });
  expect((await next.api.resume(id)).body).toMatchObject({ status: 'ready', epoch: 2 });
}

describe('the service is asked to stop', () => {
  test('on SIGTERM it answers a create that is running, stops its browsers with their state saved and leaves nothing behind', async () => {
    await using folders = await makeFolders({ BROWSERD_POOL_SIZE: '1' });
    const { env, scratchDir } = folders;
    const server = await spawnServer(env);
    const { body: browser } = await server.api.create({ name: 'kept' });
    const creating = server.api.create({ engine: 'full' });
    await expect.poll(async () => (await server.api.call('GET', '/v1/browsers')).body.items.length).toBe(2);
    server.child.kill('SIGTERM');
    expect(await creating).toMatchObject({ status: 201, body: { status: 'ready' } });
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(processesOf(scratchDir)).toEqual([]);
    expect(await filesIn(scratchDir)).toEqual([]);
    await expectKept(env, browser.id);
  });

  test('on SIGINT it does the same, and a client that never finishes its request does not hold it up', async () => {
    await using folders = await makeFolders({ BROWSERD_POOL_SIZE: '1', BROWSERD_SHUTDOWN_GRACE: '200ms' });
    const { env, scratchDir } = folders;
    const server = await spawnServer(env);
    const { body: browser } = await server.api.create({ name: 'kept' });
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
    server.child.kill('SIGINT');
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(processesOf(scratchDir)).toEqual([]);
    expect(await filesIn(scratchDir)).toEqual([]);
    await expectKept(env, browser.id);
  });

  test('a fault that nothing caught is logged, and the service ends as if it were asked to, with a code that says so', async () => {
    await using folders = await makeFolders();
    const { env, scratchDir } = folders;
    const fault = `process.once('SIGUSR2', () => { throw new Error('a fault of the service'); })`;
    const importing = `--import=data:text/javascript,${encodeURIComponent(fault)}`;
    const server = await spawnServer({ ...env, NODE_OPTIONS: importing });
    const { body: browser } = await server.api.create();
    server.child.kill('SIGUSR2');
    expect(await server.exited).toEqual({ code: 1, signal: null });
    expect(server.output()).toMatch(/a fault of the service.*process\.uncaught_exception/);
    expect(processesOf(scratchDir)).toEqual([]);
    expect(await filesIn(scratchDir)).toEqual([]);
    await expectKept(env, browser.id);
  });

  test('a service whose log is read no longer goes on, and stops when it is asked to', async () => {
    await using folders = await makeFolders();
    const { env, scratchDir } = folders;
    const server = await spawnServer(env);
    server.child.stdout?.destroy();
    server.child.stderr?.destroy();
    // Both are written to the log.
    const { body: browser } = await server.api.create();
    expect(await server.api.get(browser.id)).toMatchObject({ status: 200 });
    server.child.kill('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(processesOf(scratchDir)).toEqual([]);
    await expectKept(env, browser.id);
  });

  test('a second service on the same data folder refuses to start and says why', async () => {
    await using server = await startServer();
    await expect(spawnServer(server.env)).rejects.toThrow(/in use by another browserd/);
  });

  test('a wrong setting is named before anything starts', async () => {
    await using folders = await makeFolders({});
    const { env } = folders;
    const twoWrong = { ...env, BROWSERD_POOLSIZE: '3', BROWSERD_PORT: 'eighty' };
    await expect(spawnServer(twoWrong)).rejects.toThrow(/BROWSERD_POOL_SIZE[\s\S]*BROWSERD_PORT is wrong/);
    await expect(
      spawnServer({ ...env, BROWSERD_HOST: '0.0.0.0', BROWSERD_ISOLATION: 'process' }),
    ).rejects.toThrow(/isolated strictly/);
  });
});
