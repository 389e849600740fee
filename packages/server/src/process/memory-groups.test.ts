/** The kernel's side is played by plain files: which of them are written, in which order, is what is tested here. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openMemoryGroups } from './memory-groups.ts';

let own: string;
beforeEach(async () => {
  own = await mkdtemp(join(tmpdir(), 'browserd-groups-'));
  await writeFile(join(own, 'cgroup.controllers'), 'cpu memory pids\n');
  await writeFile(join(own, 'cgroup.subtree_control'), '');
  await writeFile(join(own, 'cgroup.procs'), '4711\n');
});
afterEach(() => rm(own, { recursive: true, force: true }));

const text = (...path: string[]) => readFile(join(own, ...path), 'utf8');
const groups = async () => (await readdir(own)).filter((name) => /^browserd-[0-9a-f]{12}-/.test(name));

test('the service makes way for the groups of its browsers, and each has its limit and its processes', async () => {
  const made = openMemoryGroups({ owner: 'this service', group: own });
  expect(await text('cgroup.subtree_control')).toBe('+memory');
  expect(await text('browserd-service', 'cgroup.procs')).toBe('4711');
  const group = made?.open(512 * 1024 ** 2);
  const [name = ''] = await groups();
  expect(Number(await text(name, 'memory.max'))).toBe(640 * 1024 ** 2);
  expect(await text(name, 'memory.oom.group')).toBe('0');
  group?.add([815]);
  expect(await text(name, 'cgroup.procs')).toBe('815');
  expect(group?.killed()).toBe(0);
  await writeFile(join(own, name, 'memory.events'), 'low 0\noom 2\noom_kill 2\n');
  expect(group?.killed()).toBe(2);
  group?.setLimit(1024 ** 3);
  expect(Number(await text(name, 'memory.max'))).toBe(1.125 * 1024 ** 3 + 64 * 1024 ** 2);
});

test('groups that an earlier run of this service left are removed, those of another are not', async () => {
  openMemoryGroups({ owner: 'this service', group: own })?.open(1);
  const [before = ''] = await groups();
  for (const name of ['memory.max', 'memory.oom.group']) await rm(join(own, before, name));
  openMemoryGroups({ owner: 'another', group: own });
  expect(await groups()).toEqual([before]);
  await writeFile(join(own, 'cgroup.subtree_control'), 'memory');
  openMemoryGroups({ owner: 'this service', group: own });
  expect(await groups()).toEqual([]);
});

test('without the memory controller, and in a login session, there are none', async () => {
  const session = join(own, 'session-2.scope');
  await mkdir(session);
  for (const name of ['cgroup.controllers', 'cgroup.subtree_control', 'cgroup.procs'])
    await writeFile(join(session, name), 'memory');
  expect(openMemoryGroups({ owner: 'this service', group: session })).toBeUndefined();
  await writeFile(join(own, 'cgroup.controllers'), 'cpu pids\n');
  expect(openMemoryGroups({ owner: 'this service', group: own })).toBeUndefined();
  expect(await text('cgroup.subtree_control')).toBe('');
});
