import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { runningServices } from './running-services.ts';
import { type Surroundings, whichData } from './which-data.ts';

let folder: string;
/** The folder that a command without settings has: below the one it is started in. */
let here: string;
let told: string;
let surroundings: Surroundings;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'browserd-which-'));
  here = join(folder, 'start', '.browserd');
  vi.spyOn(process, 'cwd').mockReturnValue(dirname(here));
  told = '';
  surroundings = {
    env: {},
    services: () => [],
    tell: (text) => {
      told += text;
    },
  };
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

test('what the environment names is taken as it is', async () => {
  const services = () => [{ pid: 7, dataDir: '/srv/other' }];
  const named = (env: Record<string, string>) => whichData({ ...surroundings, services, env });
  expect(await named({ BROWSERD_DATA_DIR: folder })).toEqual({ dataDir: folder, databaseUrl: null });
  const databaseUrl = 'postgres://127.0.0.1/browserd';
  expect(await named({ BROWSERD_DATABASE_URL: databaseUrl })).toEqual({ dataDir: here, databaseUrl });
  expect(told).toBe('');
});

test('without a setting, the keys are those of the service that runs, and the operator is told', async () => {
  const services = () => [{ pid: 7, dataDir: '/srv/other', databaseUrl: 'postgres://127.0.0.1/browserd' }];
  expect(await whichData({ ...surroundings, services })).toEqual(
    services().map(({ pid: _, ...data }) => data)[0],
  );
  expect(told).toContain('process 7');
  expect(told).toContain('/srv/other');
  expect(told).not.toContain('postgres');
});

test('of several services the one of this folder is taken; else the operator has to say which', async () => {
  const two = [
    { pid: 7, dataDir: '/srv/one' },
    { pid: 8, dataDir: '/srv/two' },
  ];
  const mine = { pid: 9, dataDir: here };
  expect(await whichData({ ...surroundings, services: () => [...two, mine] })).toMatchObject({
    dataDir: here,
  });
  await expect(whichData({ ...surroundings, services: () => two })).rejects.toThrow(
    /Several services[\s\S]*BROWSERD_DATA_DIR=FOLDER[\s\S]*process 7: \/srv\/one\n {2}process 8: \/srv\/two/,
  );
});

test('where there is nothing, no database is made: the operator is asked, or told how to say it', async () => {
  await expect(whichData(surroundings)).rejects.toThrow(
    /no database in .*\.browserd[\s\S]*BROWSERD_DATA_DIR=FOLDER/,
  );
  const asked = (answer: string) => whichData({ ...surroundings, ask: async () => answer });
  await expect(asked('')).rejects.toThrow('No folder was named');
  await expect(asked(folder)).rejects.toThrow(`no database in ${folder}`);
  expect(await readdir(folder)).toEqual([]);
  await writeFile(join(folder, 'browserd.sqlite'), '');
  expect(await asked(`${folder}\n`)).toEqual({ dataDir: folder, databaseUrl: null });
});

test.runIf(process.platform === 'linux')(
  'a service is found by its command line, with the folder that its environment names',
  async () => {
    const program = [
      '-e',
      'setInterval(() => {}, 1000)',
      '/srv/browserd/packages/server/src/programs/main.ts',
    ];
    const start = async (env: Record<string, string>): Promise<number> => {
      const child = spawn(process.execPath, program, { cwd: folder, env });
      onTestFinished(() => void child.kill());
      await once(child, 'spawn');
      return child.pid ?? 0;
    };
    const databaseUrl = 'postgres://127.0.0.1/x';
    await mkdir(join(folder, '.browserd'));
    await mkdir(join(folder, 'data'));
    const plain = await start({});
    const named = await start({ BROWSERD_DATA_DIR: 'data', BROWSERD_DATABASE_URL: databaseUrl });
    // a process that has been made, but not yet begun its own program, still has the command line of its parent
    await expect
      .poll(() => runningServices().filter(({ pid }) => pid === plain || pid === named))
      .toEqual([
        { pid: plain, dataDir: join(folder, '.browserd') },
        { pid: named, dataDir: join(folder, 'data'), databaseUrl },
      ]);
  },
);
