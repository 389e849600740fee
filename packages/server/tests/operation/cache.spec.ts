import { mkdir, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/kit/log.ts';
import { startService } from '../../src/service.ts';
import { type Api, createApi } from '../support/client.ts';
import { type Folders, makeFolders, type ServerProcess, spawnServer } from '../support/server.ts';

/** The folder that services of one user share is the only place where they leave anything of themselves. */
async function runScript({ api }: { api: Api }): Promise<unknown> {
  const { body: browser } = await api.create();
  const { body } = await api.call('POST', `/v1/browsers/${browser.id}/script/execute`, {
    body: { code: 'return page.title()' },
  });
  await api.remove(browser.id);
  return body.success;
}

async function stop({ child, exited }: ServerProcess): Promise<void> {
  child.kill('SIGTERM');
  expect(await exited).toEqual({ code: 0, signal: null });
}

/** A service in this process, and what it logs. */
async function startHere({ env, dataDir }: Folders, cache: string) {
  const config = readConfig({ ...env, BROWSERD_CACHE_DIR: cache });
  let output = '';
  const logged = new PassThrough().on('data', (text) => {
    output += text;
  });
  const service = await startService(config, createLog('info', logged), process.env);
  const key = (await readFile(join(dataDir, 'admin-key'), 'utf8')).trim();
  return { service, api: createApi(service.url, key), output: () => output };
}

const leftBy = ({ dataDir }: Folders): Promise<string[]> => readdir(dirname(dataDir));

test('two services that start at the same time lay out one toolbox between them, and leave only that', async () => {
  await using one = await makeFolders();
  const cache = join(await realpath(dirname(one.dataDir)), 'cache');
  await using other = await makeFolders();
  const start = ({ env }: Folders) => spawnServer({ ...env, BROWSERD_CACHE_DIR: cache });
  const services = await Promise.all([start(one), start(other)]);
  expect(await Promise.all(services.map(runScript))).toEqual([true, true]);
  await Promise.all(services.map(stop));
  const kept = await readdir(cache);
  expect(kept).toEqual([expect.stringMatching(/^toolbox-[0-9a-f]{32}$/)]);
  const { ino } = await stat(join(cache, kept[0] ?? ''));

  const later = await startHere(other, cache);
  expect(await runScript(later)).toBe(true);
  await later.service.close();
  expect(await readdir(cache)).toEqual(kept);
  expect((await stat(join(cache, kept[0] ?? ''))).ino).toBe(ino);
  expect((await leftBy(one)).sort()).toEqual(['cache', 'data']);
  expect((await leftBy(other)).sort()).toEqual(['data']);
});

test('a cache folder that others can write to is left alone, and scripts run all the same', async () => {
  await using folders = await makeFolders();
  const cache = join(dirname(folders.dataDir), 'cache');
  const before = process.umask(0);
  await mkdir(cache, { mode: 0o777 });
  process.umask(before);
  const here = await startHere(folders, cache);
  expect(await runScript(here)).toBe(true);
  expect(here.output()).toMatch(/only this user can write to.*toolbox\.not_kept/);
  await here.service.close();
  expect(await readdir(cache)).toEqual([]);
});
