/**
 * Where the Chromium of this machine is. The first usable one of each engine wins:
 *
 *   BROWSERD_CHROMIUM_PATH (decides alone) → PATH → known places → Playwright's caches → Puppeteer's caches
 *
 * Only looks at files, never runs one, and stops as soon as both engines are found: it is part of every start.
 */

import { constants } from 'node:fs';
import { access, open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import type { Engine } from '../../kit/engine.ts';
import { knownPlaces, namesOnPath, playwrightCaches, programsInDownload, puppeteerCaches } from './places.ts';

export interface Binary {
  path: string;
  engine: Engine;
  /** Only where the place itself tells it: folders of Puppeteer's cache are named after the version. */
  version?: string;
  source: 'BROWSERD_CHROMIUM_PATH' | 'PATH' | 'system' | 'Playwright' | 'Puppeteer';
}

export interface Found {
  shell?: Binary;
  full?: Binary;
  /** Every place that was looked at, for a message to the operator. */
  searched: string[];
}

export interface FindOptions {
  /** The operator's choice; null searches. */
  chromiumPath: string | null;
  /** Names PATH, the home folder and the caches. */
  env?: Record<string, string | undefined>;
  platform?: NodeJS.Platform;
  /** Chromium will run as another user than this process (the service was started as root). */
  forAnotherUser?: boolean;
  /** The folder that the known places are under; tests give their own. */
  root?: string;
}

const engineOf = (path: string): Binary['engine'] =>
  /headless[-_]shell/i.test(basename(path)) ? 'shell' : 'full';

const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    async () => (await stat(path)).isFile(),
    () => false,
  );

/** What PATH offers is often a script around the real program (Debian), or a stub that would install a snap. */
async function isWrapper(path: string): Promise<boolean> {
  if (basename(await realpath(path)) === 'snap') return true;
  await using file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
  return buffer.toString('latin1') === '#!';
}

/** A program in a closed home folder cannot be run by another user, whatever its own mode is. */
async function isOpenToOthers(path: string): Promise<boolean> {
  for (let here = await realpath(path); ; here = dirname(here)) {
    if (((await stat(here)).mode & 0o001) === 0) return false;
    if (here === dirname(here)) return true;
  }
}

const list = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** By the numbers in the names: 1254 is newer than 999, and 156.0.10 newer than 156.0.9. */
const newestFirst = (a: string, b: string): number => b.localeCompare(a, 'en', { numeric: true });

async function* programsOf(download: string, about: Omit<Binary, 'path'>): AsyncGenerator<Binary> {
  for (const folder of await list(download))
    for (const program of programsInDownload[about.engine])
      yield { ...about, path: join(download, folder, program) };
}

async function* inPlaywrightCache(cache: string): AsyncGenerator<Binary> {
  const downloads = (await list(cache)).filter((name) => /^chromium(_headless_shell)?-\d+$/.test(name));
  for (const name of downloads.sort(newestFirst)) {
    const download = join(cache, name);
    // Playwright writes this file last: without it a download was interrupted.
    if (!(await list(download)).includes('INSTALLATION_COMPLETE')) continue;
    yield* programsOf(download, { engine: engineOf(name), source: 'Playwright' });
  }
}

async function* inPuppeteerCache(cache: string): AsyncGenerator<Binary> {
  for (const engine of ['shell', 'full'] as const) {
    const downloads = join(cache, engine === 'shell' ? 'chrome-headless-shell' : 'chrome');
    for (const name of (await list(downloads)).sort(newestFirst))
      yield* programsOf(join(downloads, name), { engine, version: name.split('-')[1], source: 'Puppeteer' });
  }
}

type Place = [name: string, candidates: Iterable<Binary> | AsyncIterable<Binary>];

function* places({ platform = process.platform, root = '/', env = {} }: FindOptions): Generator<Place> {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const onPath = namesOnPath.flatMap((name) => folders.map((folder) => join(folder, name)));
  yield ['PATH', onPath.map((path) => ({ path, engine: engineOf(path), source: 'PATH' as const }))];
  for (const path of knownPlaces(platform, root, env))
    yield [path, [{ path, engine: engineOf(path), source: 'system' as const }]];
  for (const cache of playwrightCaches(platform, root, env)) yield [cache, inPlaywrightCache(cache)];
  for (const cache of puppeteerCaches(env)) yield [cache, inPuppeteerCache(cache)];
}

async function isUsable({ path, source }: Binary, forAnotherUser: boolean): Promise<boolean> {
  if (!(await isProgram(path))) return false;
  if (source === 'PATH' && (await isWrapper(path))) return false;
  return !forAnotherUser || isOpenToOthers(path);
}

export async function findChromium(options: FindOptions): Promise<Found> {
  const { chromiumPath: path, forAnotherUser = false } = options;
  if (path !== null) {
    const named: Binary = { path, engine: engineOf(path), source: 'BROWSERD_CHROMIUM_PATH' };
    return (await isProgram(path)) ? { [named.engine]: named, searched: [path] } : { searched: [path] };
  }
  const found: Found = { searched: [] };
  for (const [name, candidates] of places(options)) {
    found.searched.push(name);
    for await (const candidate of candidates)
      if (!found[candidate.engine] && (await isUsable(candidate, forAnotherUser)))
        found[candidate.engine] = candidate;
    if (found.shell && found.full) break;
  }
  return found;
}
