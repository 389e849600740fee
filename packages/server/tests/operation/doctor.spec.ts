import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { filesIn } from '../support/leaks.ts';
import { createDatabase } from '../support/postgres.ts';
import { compiledBefore, makeFolders, startServer, type TestServer } from '../support/server.ts';

/** The program as an operator runs it. */
const program = new URL('../../src/programs/doctor/doctor.ts', import.meta.url).pathname;

interface Told {
  code: number;
  output: string;
}

const doctor = (env: Record<string, string>, ...args: string[]): Promise<Told> =>
  new Promise((resolve) => {
    const { PATH, HOME } = process.env;
    const child = execFile(
      process.execPath,
      [program, ...args],
      { env: { PATH, HOME, ...compiledBefore, ...env } },
      (_, out, err) => resolve({ code: child.exitCode ?? -1, output: out + err }),
    );
  });

const examined = async (env: Record<string, string>) => {
  const { code, output } = await doctor(env, '--json');
  const { ok, checks } = JSON.parse(output) as {
    ok: boolean;
    checks: { name: string; state: string; detail: string; fix?: string }[];
  };
  for (const check of checks) expect(check.state === 'ok' || Boolean(check.fix), check.name).toBe(true);
  return { code, ok, of: (name: string) => checks.find((check) => check.name.startsWith(name)), checks };
};

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server[Symbol.asyncDispose]());

test('a sound machine is told so, each Chromium is started once, and nothing is left behind', async () => {
  await using folders = await makeFolders();
  const database = await createDatabase(inject('postgresUrl'));
  const { code, ok, of, checks } = await examined({ ...folders.env, BROWSERD_DATABASE_URL: database });
  expect(checks.filter(({ state }) => state === 'fail')).toEqual([]);
  expect([code, ok]).toEqual([0, true]);
  expect(of('isolation')?.detail).toContain('strict');
  expect(of('chromium')?.detail).toMatch(/Chrome\/\d+.* starts/);
  expect(of('database')?.detail).toContain('PostgreSQL');
  expect(await filesIn(dirname(folders.dataDir))).toEqual([]);
});

test('a running service is recognised by its port and its lock', async () => {
  const { code, of } = await examined({ ...server.env, BROWSERD_PORT: String(server.service.port) });
  expect(code).toBe(0);
  expect(of('port')?.detail).toContain('browserd 0.1.0 is answering');
  expect(of('data lock')?.detail).toContain('running');
  expect((await server.api.call('GET', '/health/ready')).status).toBe(200);
});

test('what is in the way is named, with what mends it', async () => {
  const other = createServer((_, response) => void response.end('hello')).listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { code, of } = await examined({
    ...server.env,
    BROWSERD_CHROMIUM_PATH: '/nowhere/chromium',
    BROWSERD_PORT: String((other.address() as AddressInfo).port),
    BROWSERD_DATABASE_URL: 'postgres://me:s3cret@127.0.0.1:9/browserd',
  });
  other.close();
  expect(code).toBe(1);
  expect(of('chromium')).toMatchObject({
    state: 'fail',
    detail: expect.stringContaining('/nowhere/chromium'),
  });
  expect(of('port')).toMatchObject({ state: 'fail', fix: expect.stringContaining('BROWSERD_PORT') });
  expect(of('data lock')).toMatchObject({ state: 'fail', detail: expect.stringContaining('in use') });
  expect(of('database')).toMatchObject({ state: 'fail', detail: expect.not.stringContaining('s3cret') });
});

test('a Chromium that does not start is told with its last words', async () => {
  await using folders = await makeFolders({ BROWSERD_CHROMIUM_PATH: '/bin/false' });
  const { code, of } = await examined(folders.env);
  expect(code).toBe(1);
  expect(of('chromium')?.detail).toContain('it ended at once');
  expect(await filesIn(dirname(folders.dataDir))).toEqual([]);
});

test('people get lines, and wrong variables or options are explained', async () => {
  const wrong = await doctor({ BROWSERD_PROT: '1' });
  expect(wrong.code).toBe(1);
  expect(wrong.output).toMatch(/^fail {2}configuration .*BROWSERD_PORT/m);
  expect(wrong.output).toContain('1 in the way');
  const unknown = await doctor({}, '--jsn');
  expect([unknown.code, unknown.output]).toEqual([2, expect.stringContaining('Usage: browserd doctor')]);
});
