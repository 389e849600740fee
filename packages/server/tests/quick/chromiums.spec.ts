import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processTree } from '../../src/process/process.ts';
import { chromiumOf, processesOf } from '../support/leaks.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';

const crowd = 4;
let server: TestServer;
/** Answers when a whole crowd has come. */
let site: Server;
let waiting: ServerResponse[] = [];

beforeAll(async () => {
  site = createServer(({ headers, url = '' }, response) => {
    const size = Number(/^\/together\/(\d)$/.exec(url)?.[1]);
    if (!size) return void response.writeHead(404).end();
    waiting.push(response);
    if (waiting.length < size) return;
    for (const each of waiting) {
      each.setHeader('content-type', 'text/html').setHeader('set-cookie', 'visited=yes');
      each.end(`<title>together</title><p>cookie: ${headers.cookie ?? 'none'}</p>`);
    }
    waiting = [];
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  server = await startServer({ BROWSERD_POOL_SIZE: '0', BROWSERD_MAX_BROWSERS: String(2 * crowd) });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  site.close();
  expect(processesOf(server.scratchDir)).toEqual([]);
});

const together = async (count: number): Promise<string[]> => {
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/together/${count}`;
  const body = { url, policy: { privateAccess: { localhost: true } }, format: 'text', mainContent: false };
  const answers = await Promise.all(
    Array.from({ length: count }, () => server.api.call('POST', '/v1/scrape', { body })),
  );
  return answers.map(({ body }) => body.content?.trim() ?? body.error.code);
};
/** In a box they do not show which service they belong to, but what started them does. */
const pages = async (): Promise<number> => {
  const trees = await Promise.all(chromiumOf(server.scratchDir).map(processTree));
  const commands = trees.flat().map(({ pid }) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
  return (await Promise.all(commands)).filter((command) => command.includes('--type=renderer')).length;
};

test('callers that come at once share one Chromium, and find nothing of each other', async () => {
  expect(await together(crowd)).toEqual(Array(crowd).fill('cookie: none'));
  expect(chromiumOf(server.scratchDir)).toHaveLength(1);
  // Those of the first round have left: a page with their cookies would be told apart here.
  expect(await together(crowd)).toEqual(Array(crowd).fill('cookie: none'));
  expect(chromiumOf(server.scratchDir)).toHaveLength(1);
});

test('a crowd finds its pages made ahead; one that is too large for a Chromium gets a second one', async () => {
  await together(crowd);
  // One is the page that Chromium begins with.
  await eventually(pages, (count) => count > crowd);
  expect(await together(2 * crowd)).toEqual(Array(2 * crowd).fill('cookie: none'));
  expect(chromiumOf(server.scratchDir)).toHaveLength(2);
});
