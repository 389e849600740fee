import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeContents } from './contents.ts';
import { shareToolbox } from './shared.ts';

let cache: string;
let laidOut: number;
beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'browserd-cache-'));
  laidOut = 0;
});
afterEach(() => rm(cache, { recursive: true }));

/** As small as a toolbox can be; each says the how manieth it is. */
async function layOut(folder: string): Promise<void> {
  const number = ++laidOut;
  await mkdir(join(folder, 'runner'));
  await writeFile(join(folder, 'runner/child.js'), `${number}`);
  await writeFile(join(folder, 'seccomp.bpf'), 'filter');
  await writeContents(folder);
  await chmod(folder, 0o755);
}

const name = 'toolbox-a';
const place = () => join(cache, name);
const share = async (make = layOut): Promise<string> => {
  using shared = await shareToolbox(cache, name, make);
  return shared.folder;
};

test('what one service laid out is used by the next', async () => {
  expect(await share()).toBe(place());
  expect(await share()).toBe(place());
  expect(laidOut).toBe(1);
  expect(await readdir(cache)).toEqual([name]);
});

const damages: Record<string, () => Promise<void>> = {
  'a file was changed': () => writeFile(join(place(), 'runner/child.js'), 'evil'),
  'a file is missing': () => rm(join(place(), 'seccomp.bpf')),
  'a file was added': () => writeFile(join(place(), 'runner/more.js'), 'evil'),
  'a file is a link': async () => {
    await writeFile(join(cache, 'elsewhere'), 'filter');
    await rm(join(place(), 'seccomp.bpf'));
    await symlink(join(cache, 'elsewhere'), join(place(), 'seccomp.bpf'));
  },
  'a file can be written to by others': () => chmod(join(place(), 'seccomp.bpf'), 0o666),
  'a folder in it can be written to by others': () => chmod(join(place(), 'runner'), 0o777),
  'the list of its contents is missing': () => rm(join(place(), 'contents.json')),
  'the list of its contents is half written': async () => {
    const list = await readFile(join(place(), 'contents.json'), 'utf8');
    await writeFile(join(place(), 'contents.json'), list.slice(0, -10));
  },
  'it is a link to a whole one': async () => {
    await mkdir(join(cache, 'elsewhere'));
    await layOut(join(cache, 'elsewhere'));
    laidOut = 1;
    await rm(place(), { recursive: true });
    await symlink(join(cache, 'elsewhere'), place());
  },
  'it is no folder': async () => {
    await rm(place(), { recursive: true });
    await writeFile(place(), '');
  },
};

for (const [what, damage] of Object.entries(damages))
  test(`it is laid out again when ${what}`, async () => {
    await share();
    await damage();
    expect(await share()).toBe(place());
    expect(laidOut).toBe(2);
    expect((await lstat(place())).isDirectory()).toBe(true);
    expect(await readFile(join(place(), 'runner/child.js'), 'utf8')).toBe('2');
    expect(await share()).toBe(place());
    expect(laidOut).toBe(2);
  });

test('services that start at the same time all get a whole one, also where a broken one lies', async () => {
  for (const broken of [false, true]) {
    if (broken) await damages['a file was changed']?.();
    const before = laidOut;
    const folders = await Promise.all(Array.from({ length: 6 }, () => share()));
    expect(folders).toEqual(Array.from({ length: 6 }, place));
    const winner = Number(await readFile(join(place(), 'runner/child.js'), 'utf8'));
    expect(winner).toBeGreaterThan(before);
    expect(await readdir(cache)).toEqual([name]);
    const afterwards = laidOut;
    await share();
    expect(laidOut).toBe(afterwards);
  }
});

test('one that could not be finished is never found, and leaves nothing', async () => {
  const fail = async (folder: string): Promise<void> => {
    await writeFile(join(folder, 'seccomp.bpf'), 'filter');
    throw new Error('the disk is full');
  };
  await expect(share(fail)).rejects.toThrow('the disk is full');
  expect(await readdir(cache)).toEqual([]);
});

test('old ones go when another is laid out, and one in use stays', async () => {
  const age = async (entry: string, minutes: number): Promise<void> => {
    await mkdir(join(cache, entry), { recursive: true });
    const then = new Date(Date.now() - minutes * 60_000);
    await utimes(join(cache, entry), then, then);
  };
  const day = 24 * 60;
  using inUse = await shareToolbox(cache, 'toolbox-in-use', layOut);
  await age('toolbox-1', 90);
  await age('toolbox-2', day);
  await age('toolbox-3', 2 * day);
  await age('toolbox-4', 3 * day);
  await age('new-killed', 90);
  await age('new-at-work', 1);
  await age('old-killed', 90);
  await age('of-the-operator', 30 * day);
  await share();
  expect((await readdir(cache)).sort()).toEqual(
    [name, 'new-at-work', 'of-the-operator', 'toolbox-1', 'toolbox-2', 'toolbox-in-use'].sort(),
  );
  expect(await lstat(inUse.folder)).toBeTruthy();

  await age('toolbox-1', 8 * day);
  await age('toolbox-in-use', 8 * day);
  // Used again by a service that starts now.
  using again = await shareToolbox(cache, 'toolbox-in-use', layOut);
  using _ = await shareToolbox(cache, 'toolbox-b', layOut);
  expect(await readdir(cache)).not.toContain('toolbox-1');
  expect(await lstat(again.folder)).toBeTruthy();
});
