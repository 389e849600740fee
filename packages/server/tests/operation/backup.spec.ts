import { execFile, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '../support/postgres.ts';
import { makeFolders, type ServerProcess, spawnServer, untilStatus } from '../support/server.ts';

/** The commands are those of docs/backup.md, run as they stand there. */
const text = readFileSync(new URL('../../../../docs/backup.md', import.meta.url), 'utf8');

function commandsUnder(heading: string, index = 0): string {
  const section = text.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
  const [, code] = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)][index] ?? [];
  if (!code) throw new Error(`docs/backup.md has no commands under ${heading}`);
  return code;
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'browserd-backup-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const shell = async (code: string, env: Record<string, string>): Promise<void> => {
  await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', code], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
  });
};

const stop = async ({ child, exited }: ServerProcess): Promise<void> => {
  child.kill('SIGTERM');
  await exited;
};

const cookie = { name: 'kept', value: 'yes', url: 'https://example.com' };
const text7 = 'seven b';

/** A browser with a cookie and a file. */
async function fill({ api }: ServerProcess): Promise<string> {
  const { body } = await api.create({ cookies: [cookie] });
  const sent = await fetch(`${api.url}/v1/browsers/${body.id}/files?name=a.txt`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.key}`, 'content-type': 'text/plain' },
    body: text7,
  });
  expect(sent.status).toBe(201);
  return body.id;
}

async function expectAllThere({ api }: ServerProcess, id: string): Promise<void> {
  const { body } = await api.call('GET', `/v1/browsers/${id}/status`);
  expect(body).toMatchObject({ status: 'ready', cookieCount: 1, cookieDomains: ['example.com'] });
  const { items } = (await api.call('GET', `/v1/browsers/${id}/files`)).body;
  const content = await fetch(`${api.url}/v1/browsers/${id}/files/${items[0].id}/content`, {
    headers: { authorization: `Bearer ${api.key}` },
  });
  expect(await content.text()).toBe(text7);
}

async function serve(env: Record<string, string>): Promise<ServerProcess> {
  const server = await spawnServer(env);
  onTestFinished(() => void server.child.kill('SIGKILL'));
  return server;
}

test('with SQLite, a backup of a stopped service brings its browsers back, and one of a running service recovers them', async () => {
  await using folders = await makeFolders();
  const { env, dataDir } = folders;
  const first = await serve(env);
  const id = await fill(first);
  const hasSqlite = spawnSync('sqlite3', ['--version']).status === 0;
  if (hasSqlite) {
    await shell(commandsUnder('SQLite, while it runs'), env);
    await shell('mv browserd.tar.gz running.tar.gz', env);
  }
  await stop(first);
  await shell(commandsUnder('SQLite, while the service is stopped'), env);

  await rm(dataDir, { recursive: true });
  await shell(commandsUnder('Restore'), env);
  const second = await serve(env);
  expect(second.api.key).toBe(first.api.key);
  expect((await second.api.get(id)).body.status).toBe('stopped');
  await second.api.call('POST', `/v1/browsers/${id}/resume`);
  await expectAllThere(second, id);
  await stop(second);

  // sqlite3 is a program of its own: without it only a stopped service can be backed up
  if (!hasSqlite) return;
  await rm(dataDir, { recursive: true });
  await shell('mv running.tar.gz browserd.tar.gz', env);
  await shell(commandsUnder('Restore'), env);
  const third = await serve(env);
  await untilStatus(third.api, id, 'ready');
  await expectAllThere(third, id);
  await stop(third);
});

/** pg_dump takes no server that is newer than itself: both are the system's. */
const programs = globSync('/usr/lib/postgresql/*/bin')
  .filter((bin) => ['initdb', 'postgres', 'pg_dump'].every((name) => existsSync(join(bin, name))))
  .at(-1);

test.skipIf(programs === undefined)(
  'with PostgreSQL, a dump and the folder bring everything back',
  async () => {
    const postgres = await startPostgres({ programs });
    onTestFinished(() => postgres.stop());
    await using folders = await makeFolders();
    const { dataDir } = folders;
    const at = async () => ({ ...folders.env, BROWSERD_DATABASE_URL: await postgres.newDatabase() });
    const env = await at();
    const first = await serve(env);
    const id = await fill(first);
    await stop(first);
    await shell(commandsUnder('PostgreSQL'), env);
    expect(existsSync(join(dataDir, 'browserd.sqlite'))).toBe(false);

    await rm(dataDir, { recursive: true });
    const emptied = await at();
    await shell(commandsUnder('Restore'), emptied);
    await shell(commandsUnder('Restore', 1), emptied);
    const second = await serve(emptied);
    await second.api.call('POST', `/v1/browsers/${id}/resume`);
    await expectAllThere(second, id);
    await stop(second);
  },
);
