import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bare, connectWithKey } from '../support/cdp-client.ts';
import { scriptClient } from '../support/script-client.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Who answers a dialog is decided for each page: a client or a script that listens elsewhere does not count. */
let server: TestServer;
let id: string;

beforeAll(async () => {
  server = await startServer();
  id = (await server.api.create({ dialogs: 'accept' })).body.id;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const newTab = async (client: Bare): Promise<string> => {
  const { targetId } = await client.send('Target.createTarget', { url: 'about:blank' });
  return (await client.send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
};
const asks = (client: Bare, sessionId: string): Promise<{ result: { value: boolean } }> =>
  client.send('Runtime.evaluate', { expression: "confirm('well?')", returnByValue: true }, sessionId);

test('a dialog of a page whose events no client gets is answered by the mode, whatever it gets elsewhere', async () => {
  const client = await connectWithKey(server.api, id);
  const [heard, unheard] = [await newTab(client), await newTab(client)];
  await client.send('Page.enable', {}, heard);
  expect((await asks(client, unheard)).result.value).toBe(true);
  // The other page’s waits for the client, which says no.
  const opened = new Promise<void>((resolve) => {
    client.socket.on('message', (data) => {
      if (data.toString().includes('Page.javascriptDialogOpening')) resolve();
    });
  });
  const answer = asks(client, heard);
  await opened;
  await client.send('Page.handleJavaScriptDialog', { accept: false }, heard);
  expect((await answer).result.value).toBe(false);
  // Once its events are off, its dialogs are not the client’s any more.
  await client.send('Page.disable', {}, heard);
  expect((await asks(client, heard)).result.value).toBe(true);
  client.socket.close();
  await client.closed;
});

test('a script answers the dialogs of the pages that it listens to; those of others are answered by the mode', async () => {
  const { execute } = scriptClient(server, id);
  const { body } = await execute(
    `const other = await context.newPage();
     page.on('dialog', (dialog) => dialog.dismiss());
     const ask = (each) => each.evaluate(() => confirm('well?'));
     const one = [await ask(page), await ask(other)];
     context.on('dialog', (dialog) => dialog.dismiss().catch(() => {}));
     const all = await ask(other);
     await other.close();
     return [...one, all]`,
  );
  expect(body.error).toBeUndefined();
  expect(body.result).toEqual([false, true, false]);
});
