/**
 * What a toolbox is made of, and the name that follows from it: two that were made of the same things have the same
 * name, and a change of any of them (a source of ours, Playwright, Node, V8's flags, the processor) gives another one.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { engineFlags, type RunnerLimits } from '../box/box.ts';

export const playwrightFolder = dirname(
  createRequire(import.meta.url).resolve('playwright-core/package.json'),
);

/** Its viewer of traces: pages that any web server can serve. */
export const traceViewerFolder = join(playwrightFolder, 'lib/vite/traceViewer');

export const playwrightFiles = [
  'index.js',
  'package.json',
  'browsers.json',
  'lib/bootstrap.js',
  'lib/coreBundle.js',
  'lib/package.js',
  'lib/serverRegistry.js',
  'lib/utilsBundle.js',
  'lib/webp_codec.wasm',
];

export const runnerFolder = join(import.meta.dirname, '..');

/** The folders of `runner/` that a child is made of. */
export const childFolders = ['wire', 'child'];
/** Those that make it. */
const makerFolders = ['box', 'toolbox'];

/** The sources in a folder of `runner/`, without those of tests. */
export const sourcesIn = (folder: string): string[] =>
  readdirSync(join(runnerFolder, folder))
    .filter((name) => !/\.(test|fixture)\.ts$/.test(name))
    .sort();

/** Playwright's files are megabytes that npm writes once: their size and time stand for them. */
export function nameOfToolbox(limits: RunnerLimits): string {
  const hash = createHash('sha256');
  const add = (...values: (string | number)[]) => hash.update(`${JSON.stringify(values)}\n`);
  add(process.version, process.platform, process.arch, cachedDataVersionTag(), ...engineFlags(limits));
  add(readFileSync(join(playwrightFolder, 'package.json'), 'utf8'));
  for (const name of playwrightFiles) {
    const { size, mtimeMs } = statSync(join(playwrightFolder, name));
    add(name, size, mtimeMs);
  }
  for (const folder of [...childFolders, ...makerFolders])
    for (const name of sourcesIn(folder))
      add(folder, name, readFileSync(join(runnerFolder, folder, name), 'utf8'));
  return `toolbox-${hash.digest('hex').slice(0, 32)}`;
}
