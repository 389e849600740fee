import { spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { runnerCommand } from './box/box.ts';
import { makeFolder } from './chromium.fixture.ts';
import { OneRunner } from './one-runner.ts';
import { isolations } from './runner.fixture.ts';
import { openToolbox, type Toolbox } from './toolbox/toolbox.ts';

/** An attacker in the runner's place: the walls must hold when everything inside the box has been taken over. */
const limits = { heapMb: 384, memoryMb: 1024 };

export interface Hideout extends AsyncDisposable {
  /** Runs a program in the box, without Node's own permissions, and gives what it wrote. */
  inBox(program: string): Promise<{ said: string; complained: string; code: number | null }>;
  /** Starts a runner whose program is this instead of ours, with Node's permissions as usual. */
  impostor(program: string): Promise<OneRunner>;
}

export async function openHideout(mode: keyof typeof isolations = 'strict'): Promise<Hideout> {
  const isolation = isolations[mode];
  await using clean = new AsyncDisposableStack();
  const folder = clean.use(await makeFolder(isolation)).path;
  const toolbox = await copyToolbox(folder);
  const kept = clean.move();
  return {
    inBox: (program) => runInBox(toolbox, program),
    async impostor(program) {
      writeFileSync(join(toolbox.folder, 'runner/child/child.js'), program);
      const runner = await OneRunner.start({
        // What was written is the source, not the snapshot.
        toolbox: { ...toolbox, hasSnapshot: false },
        isolation,
        limits,
        folder,
        timeoutMs: 20_000,
        inBackground: false,
      });
      kept.defer(() => runner.close());
      return runner;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Of the one that all tests share: what is written into this one is no other test's affair. */
async function copyToolbox(parent: string): Promise<Toolbox> {
  const shared = await openToolbox({ limits, cache: inject('cacheDir'), parent, forAnotherUser: true });
  const folder = join(parent, 'toolbox');
  await cp(shared.folder, folder, { recursive: true });
  await shared.close();
  return { ...shared, folder, seccomp: join(folder, 'seccomp.bpf') };
}

async function runInBox(toolbox: Toolbox, program: string): ReturnType<Hideout['inBox']> {
  const { bwrap, user } = isolations.strict;
  const command = runnerCommand({ bwrap: bwrap ?? '', toolbox: toolbox.folder, folder: '', limits })
    .filter((argument) => argument !== '--permission' && !argument.startsWith('--allow-fs'))
    .slice(0, -2);
  const node = openSync(process.execPath, 'r');
  const seccomp = openSync(toolbox.seccomp, 'r');
  const stdio: ('ignore' | 'pipe' | number)[] = [
    'ignore',
    'pipe',
    'pipe',
    'pipe',
    'pipe',
    'pipe',
    node,
    seccomp,
  ];
  const child = spawn(command[0] ?? '', [...command.slice(1), '-e', program], {
    stdio,
    detached: true,
    env: {},
    cwd: '/',
    ...user,
  });
  closeSync(node);
  closeSync(seccomp);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [said, complained] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
  return { code: await ended, said, complained };
}
