/**
 * Makes the runner's snapshot: V8's heap after Playwright is loaded and the rehearsal is over. A runner that starts from
 * it needs a third of the CPU. Where it cannot be made, or a runner does not start from it, there is none, and runners
 * start without.
 */
import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { type RunnerLimits, runnerCommand, runnerEnvironment, snapshotName } from '../box/box.ts';
import { childFolders, sourcesIn } from './ingredients.ts';
import { link, type Sources } from './link.ts';

/** Modules of Node that can be in no snapshot. */
const notForSnapshots = ['child_process', 'dns', 'http', 'http2', 'https', 'inspector', 'readline', 'tls'];

const patienceMs = 60_000;

export async function makeSnapshot(toolbox: string, limits: RunnerLimits): Promise<boolean> {
  const snapshot = join(toolbox, snapshotName);
  try {
    await build(toolbox, snapshot);
    await prove(toolbox, limits);
    return true;
  } catch (error) {
    await rm(snapshot, { force: true });
    await writeFile(join(toolbox, 'no-snapshot.txt'), String((error as Error).message));
    return false;
  }
}

async function build(toolbox: string, snapshot: string): Promise<void> {
  const program = join(toolbox, 'snapshot.cjs');
  await writeFile(program, link(await childSources(toolbox), 'child/snapshot.js'));
  const requireOfNode = createRequire(import.meta.url);
  const names = Object.fromEntries(
    notForSnapshots.map((name) => [name, Object.getOwnPropertyNames(requireOfNode(name))]),
  );
  const flags = [...process.execArgv, '--no-warnings', '--experimental-vm-modules'];
  await promisify(execFile)(
    process.execPath,
    [
      ...flags,
      ...[`--snapshot-blob=${snapshot}`, '--build-snapshot', program],
      ...[join(toolbox, 'playwright-core'), JSON.stringify(names)],
    ],
    { env: runnerEnvironment('/tmp'), cwd: toolbox, timeout: patienceMs, killSignal: 'SIGKILL' },
  );
  await rm(program);
}

async function childSources(toolbox: string): Promise<Sources> {
  const sources: Sources = new Map();
  for (const folder of childFolders)
    for (const name of sourcesIn(folder)) {
      const path = join(folder, name.replace(/\.ts$/, '.js'));
      if (path !== 'child/child.js')
        sources.set(path, await readFile(join(toolbox, 'runner', path), 'utf8'));
    }
  return sources;
}

/** Starts a runner from it, and waits for its first word. */
async function prove(toolbox: string, limits: RunnerLimits): Promise<void> {
  const folder = await mkdtemp(join(toolbox, 'proof-'));
  const [program = '', ...args] = runnerCommand({ toolbox, folder, limits, fromSnapshot: true });
  const node = openSync(process.execPath, 'r');
  const child = spawn(program, args, {
    cwd: folder,
    env: runnerEnvironment(folder),
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe', 'pipe', node],
  });
  closeSync(node);
  try {
    await new Promise<void>((resolve, reject) => {
      (child.stdio[4] as Readable).once('data', () => resolve());
      child.once('error', reject);
      child.once('exit', (code, signal) => reject(new Error(`a runner ended with ${code ?? signal}`)));
      setTimeout(() => reject(new Error('a runner said nothing')), patienceMs).unref();
    });
  } finally {
    child.kill('SIGKILL');
    for (const stream of child.stdio) stream?.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}
