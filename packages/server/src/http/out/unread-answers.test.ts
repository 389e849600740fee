import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import type { Principal } from '../../access/access.ts';
import type { App } from '../wire/wire.ts';
import { liesUnread, limitUnreadAnswers } from './unread-answers.ts';

/** More than the buffers of two sockets take in, so that it lies here until the caller reads. */
const answerBytes = 32 * 1024 ** 2;

/** Calls name their project: `/answer/one`. */
async function serve({ largeBytes = answerBytes, patienceMs = 60_000 } = {}) {
  const app = fastify() as unknown as App;
  app.decorateRequest('principal');
  app.addHook('onRequest', async (request) => {
    request.principal = { projectId: (request.params as { project: string }).project } as Principal;
  });
  limitUnreadAnswers(app, { roomBytes: 2 * answerBytes, largeBytes, patienceMs });
  let begun = 0;
  const gate = Promise.withResolvers<void>();
  app.get('/answer/:project', async () => 'x'.repeat(answerBytes));
  app.get('/stream/:project', async (_, reply) => {
    const stream = new PassThrough();
    liesUnread(stream, answerBytes);
    stream.write('x'.repeat(answerBytes));
    void reply.send(stream);
    await once(stream, 'resume');
    liesUnread(stream, answerBytes);
    stream.end('x'.repeat(answerBytes));
    return reply;
  });
  app.get('/small/:project', async () => 'small');
  app.get('/large/:project', { config: { large: true } }, async () => {
    begun++;
    await gate.promise;
    return 'made';
  });
  app.get('/fails/:project', { config: { large: true } }, async () => {
    throw new Error('it fails');
  });
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  onTestFinished(() => app.close());
  /** Asks and reads nothing of the answer but that it has begun. */
  const askAndNotRead = async (path: string): Promise<Socket> => {
    const socket = connect(Number(url.port), url.hostname);
    onTestFinished(() => void socket.destroy());
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, 'readable');
    return socket;
  };
  const call = (path: string, method = 'GET'): Promise<Response> => fetch(new URL(path, url), { method });
  const statusOf = async (path: string): Promise<number> => {
    const answer = await call(path);
    await answer.body?.cancel();
    return answer.status;
  };
  return { askAndNotRead, call, statusOf, begun: () => begun, open: gate.resolve };
}

test('while a project leaves much unread, its calls wait, and are refused in the end; those of others are not', async () => {
  const { askAndNotRead, call, statusOf } = await serve({ patienceMs: 200 });
  await askAndNotRead('/answer/one');
  expect(await statusOf('/small/one')).toBe(200);
  await askAndNotRead('/answer/one');
  const refused = await call('/small/one');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(await refused.json()).toMatchObject({ message: expect.stringMatching(/not read yet/) });
  expect(await statusOf('/small/two')).toBe(200);
});

test('what a stream holds counts as well, also what it is given later', async () => {
  const { askAndNotRead, statusOf } = await serve();
  const socket = await askAndNotRead('/stream/one');
  const waiting = statusOf('/small/one');
  expect(await statusOf('/small/two')).toBe(200);
  expect(await Promise.race([waiting, statusOf('/small/three').then(() => 'waits')])).toBe('waits');
  socket.resume();
  expect(await waiting).toBe(200);
});

test('a call that waits goes on when an answer is read, or its reader has gone', async () => {
  const { askAndNotRead, statusOf } = await serve();
  const [first, second] = [await askAndNotRead('/answer/one'), await askAndNotRead('/answer/one')];
  const waiting = statusOf('/small/one');
  first.resume();
  expect(await waiting).toBe(200);
  await askAndNotRead('/answer/one');
  const again = statusOf('/small/one');
  second.destroy();
  expect(await again).toBe(200);
});

test('of calls whose answers may be large only as many begin as there is room for', async () => {
  const { call, begun, open, statusOf } = await serve();
  const calls = [1, 2, 3, 4].map(() => call('/large/one'));
  await expect.poll(begun).toBe(2);
  // One that was small does not wait for what is only being made.
  expect(await statusOf('/small/one')).toBe(200);
  expect(begun()).toBe(2);
  open();
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test('a call that fails gives its room back, and so does a HEAD', async () => {
  const { call, statusOf, open } = await serve({ largeBytes: 2 * answerBytes });
  open();
  for (let n = 0; n < 3; n++) expect(await statusOf('/fails/one')).toBe(500);
  for (let n = 0; n < 3; n++) expect((await call('/large/one', 'HEAD')).status).toBe(200);
});
