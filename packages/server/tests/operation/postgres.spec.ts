import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { startPostgres } from '../support/postgres.ts';

const folderOf = (url: string): string => dirname(new URL(url).searchParams.get('host')!);

const answers = async (url: string): Promise<boolean> => {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
};

test('the server of the tests leaves nothing behind when it is stopped', async () => {
  const server = await startPostgres();
  expect(await answers(await server.newDatabase())).toBe(true);
  await server.stop();
  expect(await answers(server.url)).toBe(false);
  expect(existsSync(folderOf(server.url))).toBe(false);
});

test('the server of the tests goes with them when they are killed', async () => {
  const tests = spawn(process.execPath, [
    '--input-type=module-typescript',
    '--eval',
    `import { startPostgres } from '${new URL('../support/postgres.ts', import.meta.url)}';
     console.log((await startPostgres()).url);
     setInterval(() => {}, 1000);`,
  ]);
  const [line] = await once(tests.stdout, 'data');
  const url = String(line).trim();
  expect(await answers(url)).toBe(true);
  tests.kill('SIGKILL');
  await expect.poll(() => existsSync(folderOf(url)), { timeout: 90_000 }).toBe(false);
  expect(await answers(url)).toBe(false);
});
