/**
 * Makes the runner's snapshot: V8's heap after Playwright is loaded and the rehearsal is over. A runner that starts from
 * it needs a third of the CPU. Where it cannot be made, or a runner does not start from it, there is none, and runners
 * start without.
 */
import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { type RunnerLimits, runnerCommand, runnerEnvironment, snapshotName } from '../box/box.ts';
import { descriptors } from '../wire/wire.ts';
import { childFolders, sourcesIn } from './ingredients.ts';
import { link, type Sources } from './link.ts';

/** Modules of Node that can be in no snapshot. */
const notForSnapshots = ['child_process', 'dns', 'http', 'http2', 'https', 'inspector', 'readline', 'tls'];

const patienceMs = 60_000;

/** False where there is none; why not is left in a file of the toolbox. */
export async function makeSnapshot(toolbox: string, limits: RunnerLimits): Promise<boolean> {
  const snapshot = join(toolbox, snapshotName);
  const workshop = await mkdtemp(join(toolbox, 'snapshot-'));
  try {
    await build(toolbox, workshop, snapshot);
    await prove(toolbox, workshop, limits);
    return true;
  } catch (error) {
    await rm(snapshot, { force: true });
    await writeFile(join(toolbox, 'no-snapshot.txt'), String((error as Error).message));
    return false;
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

async function build(toolbox: string, workshop: string, snapshot: string): Promise<void> {
  const builder = join(workshop, 'runner.cjs');
  const plan = join(workshop, 'plan.json');
  await writeFile(builder, link(await childSources(toolbox), 'child/snapshot.js'));
  // What Node compiled of its own modules would be a third of the file, and a start uses none of it.
  await writeFile(plan, JSON.stringify({ builder, withoutCodeCache: true }));
  const members = notForSnapshots.map((name) => [
    name,
    Object.getOwnPropertyNames(process.getBuiltinModule(name)),
  ]);
  // The flags of this process are those of a runner.
  await promisify(execFile)(
    process.execPath,
    [
      ...[...process.execArgv, '--no-warnings', '--experimental-vm-modules'],
      ...[`--snapshot-blob=${snapshot}`, '--build-snapshot', '--build-snapshot-config', plan],
      ...[join(toolbox, 'playwright-core'), JSON.stringify(Object.fromEntries(members))],
    ],
    { env: runnerEnvironment(workshop), cwd: workshop, timeout: patienceMs, killSignal: 'SIGKILL' },
  );
}

/** All but the program of a runner without a snapshot. */
async function childSources(toolbox: string): Promise<Sources> {
  const paths = childFolders
    .flatMap((folder) => sourcesIn(folder).map((name) => join(folder, name.replace(/\.ts$/, '.js'))))
    .filter((path) => path !== 'child/child.js');
  const read = (path: string) => readFile(join(toolbox, 'runner', path), 'utf8');
  return new Map(await Promise.all(paths.map(async (path) => [path, await read(path)] as const)));
}

/** Starts a runner from it, without a box, and waits for its first word. */
async function prove(toolbox: string, folder: string, limits: RunnerLimits): Promise<void> {
  const [program = '', ...args] = runnerCommand({ toolbox, folder, limits, fromSnapshot: true });
  const stdio: ('ignore' | 'pipe' | number)[] = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe', 'pipe'];
  const node = openSync(process.execPath, 'r');
  stdio[descriptors.node] = node;
  const runner = spawn(program, args, { cwd: folder, env: runnerEnvironment(folder), stdio });
  closeSync(node);
  let alarm: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      (runner.stdio[descriptors.control] as Readable).once('data', () => resolve());
      runner.once('error', reject);
      runner.once('exit', (code, signal) => reject(new Error(`A runner ended with ${code ?? signal}.`)));
      alarm = setTimeout(() => reject(new Error('A runner did not report ready.')), patienceMs);
    });
  } finally {
    clearTimeout(alarm);
    runner.kill('SIGKILL');
    for (const stream of runner.stdio) stream?.destroy();
  }
}
