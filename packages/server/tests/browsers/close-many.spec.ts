import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeKey } from '../support/keys.ts';
import { filesIn } from '../support/leaks.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const closeAll = (body: object, api = server.api, key = randomUUID()) =>
  api.call('POST', '/v1/browsers/close', { body, headers: { 'idempotency-key': key } });

const create = async (team: string): Promise<string> =>
  (await server.api.create({ metadata: { team } })).body.id;

const idsOf = (list: { id: string }[]): string[] => list.map(({ id }) => id).toSorted();

describe('one call', () => {
  test('closes all browsers that fit, with a receipt of each, and leaves nothing behind', async () => {
    const red = await Promise.all([create('red'), create('red'), create('red')]);
    const blue = await create('blue');
    await server.api.stop(red[0] ?? '');
    const key = randomUUID();
    const { status, body } = await closeAll({ metadata: { team: 'red' } }, server.api, key);
    expect(status).toBe(200);
    expect(idsOf(body.closed)).toEqual(red.toSorted());
    expect(body).toMatchObject({ failed: [], hasMore: false });
    const ended = body.closed.map(
      ({ receipt }: { receipt: { processesEnded: number } }) => receipt.processesEnded,
    );
    // the stopped one had none
    expect(ended.filter((count: number) => count > 0)).toHaveLength(2);
    expect((await server.api.get(blue)).body.status).toBe('ready');
    const again = await closeAll({ metadata: { team: 'red' } }, server.api, key);
    expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', body]);
    expect((await closeAll({ status: ['ready'], metadata: { team: 'blue' } })).body.closed).toHaveLength(1);
    expect(await filesIn(server.scratchDir)).toEqual([]);
  });

  test('closes those that are named, and says which are not there', async () => {
    const id = await create('green');
    const missing = 'browser_01ja9q4m8h2f7t3k5w6x8y0z1a';
    const { body } = await closeAll({ ids: [id, id, missing] });
    expect(idsOf(body.closed)).toEqual([id]);
    expect(body.failed).toEqual([
      { id: missing, code: 'BROWSER_NOT_FOUND', message: expect.stringContaining(missing) },
    ]);
    expect((await closeAll({ ids: [id], status: ['ready'] })).body).toMatchObject({ closed: [], failed: [] });
  });

  test('reaches no browser of another project', async () => {
    const id = await create('red');
    const other = server.api.as(await makeKey(server.dataDir, { project: 'other' }));
    expect((await closeAll({ metadata: { team: 'red' } }, other)).body.closed).toEqual([]);
    expect((await closeAll({ ids: [id] }, other)).body.failed[0].code).toBe('BROWSER_NOT_FOUND');
    expect((await server.api.get(id)).body.status).toBe('ready');
    await server.api.remove(id);
  });

  test.each([
    [{}, /say which/],
    [{ metadata: {} }, /name at least one key/],
    [{ status: ['closed'] }, /status/],
    [{ ids: [] }, /ids/],
  ])('that says %j is refused, and nothing is closed', async (body, reason) => {
    const answer = await closeAll(body);
    expect(answer.body.error.code).toBe('VALIDATION_FAILED');
    expect(JSON.stringify(answer.body.error)).toMatch(reason);
  });
});

test('code that is meant for one epoch does not run in the next', async () => {
  const { id, epoch } = (await server.api.create()).body;
  const run = (match: string) =>
    server.api.call('POST', `/v1/browsers/${id}/script/execute`, {
      body: { code: 'return 1' },
      headers: { 'if-match': match },
    });
  expect((await run(`"${epoch}"`)).body.result).toBe(1);
  await server.api.stop(id);
  await server.api.resume(id);
  const refused = await run(`"${epoch}"`);
  expect([refused.status, refused.body.error.code]).toEqual([412, 'EPOCH_CHANGED']);
  expect(refused.body.error.details.epoch).toBe(epoch + 1);
  expect((await run(`"${epoch + 1}"`)).body.result).toBe(1);
  expect((await run('abc')).body.error.code).toBe('VALIDATION_FAILED');
  await server.api.remove(id);
});

describe('a resume where there is no room', () => {
  let full: TestServer;
  let stopped: string;
  let running: string;
  beforeAll(async () => {
    full = await startServer({ BROWSERD_MAX_BROWSERS: '1' });
    stopped = (await full.api.create()).body.id;
    await full.api.stop(stopped);
    running = (await full.api.create()).body.id;
  });
  afterAll(() => full[Symbol.asyncDispose]());
  const resume = (prefer?: string) =>
    full.api.call('POST', `/v1/browsers/${stopped}/resume`, { headers: prefer ? { prefer } : {} });

  test('is refused at once, or waits in line when it is asked to', async () => {
    expect((await resume()).body.error.code).toBe('CAPACITY_EXHAUSTED');
    expect((await resume('wait=1')).body.error.code).toBe('CAPACITY_EXHAUSTED');
    const waiting = resume('wait=120');
    await full.api.remove(running);
    expect((await waiting).body.status).toBe('ready');
  });

  test('is over when the browser is closed meanwhile', async () => {
    await full.api.stop(stopped);
    running = (await full.api.create()).body.id;
    const waiting = resume('wait=120');
    expect((await full.api.remove(stopped)).status).toBe(200);
    expect((await waiting).body.error.code).toBe('BROWSER_NOT_READY');
  });
});
