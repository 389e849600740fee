import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../support/server.ts';

/** A page that took its Chromium over writes its profile folder as the user that Chromium runs as. */
const boxUser = { uid: 65534, gid: 65534 };
const asBox = (script: string, folder: string): void =>
  void execFileSync('/bin/sh', ['-ec', script], { ...boxUser, cwd: folder });

async function machine(): Promise<{ folder: string; untouched(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'browserd-machine-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'Cache'));
  const files = ['passwords', 'Cookies', 'SingletonLock', 'Cache/kept'].map((name) => join(folder, name));
  for (const file of files) await writeFile(file, 'of the machine', { mode: 0o644 });
  return {
    folder,
    async untouched() {
      for (const file of files) expect(await readFile(file, 'utf8')).toBe('of the machine');
      for (const path of [folder, join(folder, 'Cache'), ...files])
        expect(await stat(path)).toMatchObject({ uid: 0, gid: 0 });
    },
  };
}

test.runIf(process.getuid?.() === 0).for(['strict', 'process'] as const)(
  'links in a profile folder change and remove nothing of the machine, and no file of it is copied (%s)',
  async (isolation) => {
    const { folder, untouched } = await machine();
    // Another file system than the data folder's, so that a stopped browser's profile is copied.
    const scratch = await mkdtemp('/dev/shm/browserd-links-');
    onTestFinished(() => rm(scratch, { recursive: true, force: true }));
    await chmod(scratch, 0o711);
    await using server = await startServer({
      BROWSERD_ISOLATION: isolation,
      BROWSERD_SCRATCH_DIR: join(scratch, 'profiles'),
    });
    const { api, dataDir } = server;
    const profileOf = (id: string) => realpath(join(scratch, 'profiles', id));
    const plant = `ln -s ${folder}/passwords planted; ln -s ${folder} folder; ln -sf ${folder}/SingletonLock SingletonLock
      mv Default away; ln -s ${folder} Default`;

    const { id } = (await api.create()).body;
    asBox(plant, await profileOf(id));
    expect((await api.stop(id)).status).toBe(200);
    await untouched();
    const copied = spawnSync('grep', ['-rl', 'of the machine', join(dataDir, 'profiles', id)]);
    expect([copied.status, String(copied.stdout)]).toEqual([1, '']);
    expect((await api.resume(id)).status).toBe(200);
    await untouched();
    asBox(`${plant.replace('mv Default away', 'rm -rf away; mv Default away')}`, await profileOf(id));
    expect((await api.remove(id)).status).toBe(200);
    await untouched();
  },
);
