/**
 *   terminal ──Ctrl-C──> this process ──one signal──> the service (a process group of its own)
 *                              └──────── channel ────────┘
 *
 * Runs a program of the service to its end and gives its exit code. It has a process group of its own, so that each
 * signal reaches it once, through this process; and it never outlives this process: when the channel closes, it ends.
 */
import { type StdioOptions, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { togetherMs } from '../call/call.ts';
import { Failure } from '../failure.ts';
import { nodeFor } from './node-for-server.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function runServerProgram(file: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const stdio: StdioOptions = ['inherit', 'inherit', 'inherit', 'ipc'];
  const nodeArgs = ['--disable-warning=ExperimentalWarning', file, ...args];
  const child = spawn(nodeFor(file), nodeArgs, { stdio, detached: true, env: serverEnvironment(env) });
  let last = Number.NEGATIVE_INFINITY;
  const passOn = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    if (now - last < togetherMs) return;
    last = now;
    child.kill(signal);
  };
  // The listeners of this program would end it; from now on the child decides.
  for (const signal of signals) process.removeAllListeners(signal).on(signal, passOn);
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Failure(`The service could not be started: ${error.message}`)));
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));
  });
}

/** The service would refuse a setting of clients as a misspelled one. */
function serverEnvironment({ BROWSERD_URL: _, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return env;
}
