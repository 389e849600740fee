import { mkdir, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { aBrowser } from '../../../tests/support/samples.ts';
import type { Events } from '../../events/events.ts';
import { createLog } from '../../kit/log.ts';
import type { Running } from '../running/running.ts';
import type { NewProfile, ProfileVault } from './profile-vault.ts';
import { RunningProfiles } from './running-profiles.ts';

/** A browser with a real folder, whose Chromium stands still at once, beside a vault that only notes what it is given. */
async function follow() {
  const folder = await mkdtemp(join(tmpdir(), 'browserd-running-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const data = join(folder, 'Default', 'IndexedDB');
  await mkdir(data, { recursive: true });
  await writeFile(join(folder, 'Default', 'Preferences'), '{}');
  const left = new AbortController();
  onTestFinished(() => left.abort());
  const seen = { looks: 0, puts: [] as string[][], told: [] as unknown[], fails: false };
  const running = {
    left: left.signal,
    checkpoints: { save: async () => undefined },
    live: {
      get folder() {
        seen.looks++;
        return folder;
      },
      chromium: {
        standStill: async (_: number, work: (signal: AbortSignal) => Promise<unknown>) => {
          if (seen.fails) throw new Error('A browser did not stand still.');
          return work(left.signal);
        },
      },
    },
  };
  const vault = {
    async put(_: unknown, { files }: NewProfile) {
      const heads = (await Array.fromAsync(files)).map(({ head }) => head);
      seen.puts.push(heads.flatMap((head) => (head.kind === 'file' ? [head.path] : [])));
      return true;
    },
  };
  const profiles = new RunningProfiles({
    vault: vault as unknown as ProfileVault,
    events: { note: ({ data }: { data: unknown }) => seen.told.push(data) } as unknown as Events,
    log: createLog('silent', new Writable()),
    intervalMs: 5,
  });
  profiles.follow(running as unknown as Running, aBrowser({ projectId: 'project_1' }));
  /** A page keeps something, all of it in one step. */
  const keep = async (name: string) => {
    await writeFile(join(folder, 'unfinished'), name);
    await rename(join(folder, 'unfinished'), join(data, name));
  };
  /** It was looked at some more times. */
  const looked = async () => {
    const before = seen.looks;
    await expect.poll(() => seen.looks).toBeGreaterThan(before + 5);
  };
  return {
    seen,
    data,
    left,
    keep,
    looked,
    saved: (times: number) => expect.poll(() => seen.puts.length).toBe(times),
  };
}

test('a browser is saved when its pages keep something else than before, and only then', async () => {
  const { seen, keep, looked, saved } = await follow();
  await looked();
  expect(seen.puts).toEqual([]);
  await keep('rows');
  await saved(1);
  await looked();
  expect(seen.puts).toHaveLength(1);
  await keep('more');
  await saved(2);
  expect(seen.puts[1]?.toSorted()).toEqual([
    'Default/IndexedDB/more',
    'Default/IndexedDB/rows',
    'Default/Preferences',
  ]);
});

test('one that does not stand still is tried again', async () => {
  const { seen, keep, looked, saved } = await follow();
  seen.fails = true;
  await keep('rows');
  await looked();
  expect(seen.puts).toEqual([]);
  seen.fails = false;
  await saved(1);
});

test('one that has grown too large is not saved, and its owner is told once', async () => {
  const { seen, data, keep, looked } = await follow();
  await keep('large');
  await truncate(join(data, 'large'), 65 * 1024 ** 2);
  await expect.poll(() => seen.told.length).toBe(1);
  await keep('more');
  await looked();
  expect(seen.told).toMatchObject([{ limit: 'profile', message: expect.stringContaining('65 MiB') }]);
});

test('one that has left is not looked at any more', async () => {
  const { seen, left, keep, looked } = await follow();
  await looked();
  left.abort();
  await keep('rows');
  const { looks } = seen;
  const other = await follow();
  await other.looked();
  expect(seen.looks).toBeLessThanOrEqual(looks + 1);
  expect(seen.puts).toEqual([]);
});
