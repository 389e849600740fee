import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let site: Server;
let origin: string;
/** A port that no server of the suite can get, and that Chromium does not refuse by itself. */
const nowhere = 'http://127.0.0.1:2/';
const slow: ServerResponse[] = [];
const policy = { privateAccess: { localhost: true } };

beforeAll(async () => {
  site = createServer((request, response) => {
    if (request.url === '/slow' || request.url === '/never') slow.push(response);
    else if (request.url === '/file')
      response.writeHead(200, { 'content-disposition': 'attachment; filename=a.bin' }).end('bytes');
    else if (request.url === '/away')
      response.writeHead(302, { location: origin.replace('127.0.0.1', 'localhost') }).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>here</title>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  server = await startServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  site.closeAllConnections();
  site.close();
});

const eventsOf = async (id: string): Promise<{ type: string; seq: number; data: object }[]> =>
  (await server.api.call('GET', `/v1/browsers/${id}/events?limit=100`)).body.items;
const failureOf = async (id: string) =>
  (await eventsOf(id)).find(({ type }) => type === 'browser.start_page_failed');

describe('what became of the start page is in the record', () => {
  test('one that is there is loaded; without one there is nothing to say', async () => {
    const { body } = await server.api.create({ policy, startUrl: `${origin}/here` });
    expect(body.startPage).toEqual({ state: 'loaded' });
    expect(await failureOf(body.id)).toBeUndefined();
    const { body: bare } = await server.api.create();
    expect(bare.startPage).toBeUndefined();
    await Promise.all([server.api.remove(body.id), server.api.remove(bare.id)]);
  });

  test.for([
    ['the policy refuses', () => ({ startUrl: `${origin}/x` }), 'POLICY_BLOCKED', 'private_address'],
    [
      'a redirect leads to where the policy refuses',
      () => ({ policy: { ...policy, allowedDomains: ['127.0.0.1'] }, startUrl: `${origin}/away` }),
      'POLICY_BLOCKED',
      'not_in_allow_list',
    ],
    ['does not listen', () => ({ policy, startUrl: nowhere }), 'NAVIGATION_FAILED', 'ERR_CONNECTION_REFUSED'],
    ['is a file', () => ({ policy, startUrl: `${origin}/file` }), 'NAVIGATION_FAILED', 'DOWNLOAD'],
  ] as const)(
    'one that %s fails: the browser is ready, and record and event say why',
    async ([, asked, code, reason]) => {
      const answer = await server.api.create(asked());
      expect(answer).toMatchObject({
        status: 201,
        body: { status: 'ready', startPage: { state: 'failed' } },
      });
      const { id, startPage } = answer.body;
      expect(startPage.error).toMatchObject({
        code,
        message: expect.stringMatching(/127\.0\.0\.1|localhost/),
      });
      expect(Object.values(startPage.error.details)).toContain(reason);
      expect((await server.api.get(id)).body.startPage).toEqual(startPage);
      const event = await eventually(() => failureOf(id), Boolean);
      expect(event?.data).toMatchObject({ url: asked().startUrl, code, message: startPage.error.message });
      await server.api.remove(id);
    },
  );

  test('one that is slow is pending until it answers, and holds nothing back', async () => {
    const [answer, stopped] = await Promise.all([
      server.api.create({ policy, startUrl: `${origin}/slow` }),
      server.api.create({ policy, startUrl: `${origin}/never` }),
    ]);
    expect(answer).toMatchObject({ status: 201, body: { startPage: { state: 'pending' } } });
    const asked = await eventually(async () => slow.find(({ req }) => req.url === '/slow'), Boolean);
    asked?.end('<title>late</title>');
    const startPage = async () => (await server.api.get(answer.body.id)).body.startPage;
    expect(await eventually(startPage, ({ state }) => state !== 'pending')).toEqual({ state: 'loaded' });
    await server.api.stop(stopped.body.id);
    expect((await server.api.resume(stopped.body.id)).body.startPage).toMatchObject({
      state: 'failed',
      error: { details: { reason: 'ENDED' } },
    });
    await Promise.all([server.api.remove(answer.body.id), server.api.remove(stopped.body.id)]);
  });
});
