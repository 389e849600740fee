/**
 * A program of its own: fills the folder it is given.
 *
 *   toolbox/  playwright-core/  its bundles, with the code V8 compiled of them
 *             runner/           the child's own files, types stripped
 *             runner.snapshot   both, loaded
 *             seccomp.bpf       the system call filter
 *             contents.json     every file and its checksum, written last
 */
import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { withoutTypes } from '../../kit/own-source.ts';
import { type Architecture, seccompProgram } from '../box/box.ts';
import { compileAhead } from '../child/compile-ahead.ts';
import { writeContents } from './contents.ts';
import { childFolders, playwrightFiles, playwrightFolder, runnerFolder, sourcesIn } from './ingredients.ts';
import { makeSnapshot } from './snapshot.ts';

async function copyPlaywright(to: string): Promise<void> {
  await mkdir(join(to, 'lib'), { recursive: true });
  await Promise.all(
    playwrightFiles.map(async (name) => {
      const [from, there] = [join(playwrightFolder, name), join(to, name)];
      if (extname(name) !== '.js') await copyFile(from, there);
      else await writeFile(there, inAscii(await readFile(from, 'utf8')));
    }),
  );
}

/** A few dashes and arrows in comments make V8 keep a whole bundle with two bytes a character, in every runner. */
const inAscii = (source: string): string =>
  source.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

async function copyChild(to: string): Promise<void> {
  for (const folder of childFolders) {
    await mkdir(join(to, folder), { recursive: true });
    await Promise.all(
      sourcesIn(folder).map(async (name) => {
        const source = await readFile(join(runnerFolder, folder, name), 'utf8');
        const plain = withoutTypes(source).replace(/(from '\.[^']*)\.ts'/g, "$1.js'");
        await writeFile(join(to, folder, name.replace(/\.ts$/, '.js')), plain);
      }),
    );
  }
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}

const [folder = '', limits = ''] = process.argv.slice(2);
await Promise.all([copyPlaywright(join(folder, 'playwright-core')), copyChild(join(folder, 'runner'))]);
await writeFile(join(folder, 'package.json'), '{"type":"module"}');
await writeFile(join(folder, 'seccomp.bpf'), seccompProgram(process.arch as Architecture));
if (!(await makeSnapshot(folder, JSON.parse(limits)))) await compileAhead(folder);
await writeContents(folder);
await openToAll(folder);
