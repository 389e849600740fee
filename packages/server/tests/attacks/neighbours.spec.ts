import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectWithKey } from '../support/cdp-client.ts';
import { type Api, createApi } from '../support/client.ts';
import { makeKey } from '../support/keys.ts';
import { type Folders, makeFolders, type ServerProcess, spawnServer } from '../support/server.ts';

/** One project beside the flood of another, on a service of its own process: its loop is all theirs. */
let folders: Folders;
let server: ServerProcess;
let flooding: Api;
let modest: Api;

beforeAll(async () => {
  folders = await makeFolders();
  server = await spawnServer(folders.env);
  const of = async (project: string): Promise<Api> =>
    createApi(server.api.url, await makeKey(folders.dataDir, { project, role: 'member' }));
  [flooding, modest] = [await of('flooding'), await of('modest')];
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.exited;
  await folders[Symbol.asyncDispose]();
});

test('a project that sends commands as fast as it can is worked off beside another that asks now and then', async () => {
  const { id } = (await modest.create()).body;
  const { id: busy } = (await flooding.create()).body;
  await modest.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code: 'return 1' } });
  const clients = await Promise.all([1, 2, 3, 4].map(() => connectWithKey(flooding, busy)));
  let [sent, answers, over] = [0, 0, false];
  for (const { socket } of clients) {
    const send = (): void => socket.send(`{"id":${++sent},"method":"Browser.getVersion"}`);
    // a client that always has thousands of commands on the way: the flood ends when the other project has its answers
    socket.on('message', () => {
      answers++;
      if (!over) send();
    });
    for (let n = 0; n < 5000; n++) send();
  }
  for (let n = 0; n < 5; n++) {
    expect((await modest.status(id)).status).toBe(200);
    const { body } = await modest.call('POST', `/v1/browsers/${id}/script/execute`, {
      body: { code: 'return 1' },
    });
    expect(body.result).toBe(1);
  }
  over = true;
  // nothing of the flood was lost
  await expect.poll(() => answers).toBe(sent);
  expect(answers).toBeGreaterThan(clients.length * 5000);
  for (const { socket } of clients) socket.close();
  await Promise.all([modest.remove(id), flooding.remove(busy)]);
});
