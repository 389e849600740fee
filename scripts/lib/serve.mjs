/**
 *   terminal ──Ctrl-C──> npm ──> this process ──one signal──> the service (a process group of its own)
 *                                     └────────── channel ────────┘
 *
 * Runs the service until it ends and gives its exit code. It lives in its own process group, so each signal arrives
 * there once, through us; a later second one is passed on too. It never outlives us: when we die the channel closes,
 * which the service sees as `disconnect`, and when npm dies (our parent changes) we ask it to stop.
 */
import { spawn } from 'node:child_process';
import { root } from './program.mjs';
import { exitCodeOf } from './run.mjs';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** Ctrl-C reaches npm and us, and npm passes its copy on to us as well: what comes this close together was meant once. */
const together = 400;

export function serve(node, args, { sameAct = together } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
    const service = spawn(node, args, { cwd: root, stdio, detached: true });

    const lastAt = {};
    for (const signal of signals)
      process.on(signal, () => {
        const now = performance.now();
        if (now - (lastAt[signal] ?? Number.NEGATIVE_INFINITY) < sameAct) return;
        lastAt[signal] = now;
        service.kill(signal);
      });

    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(watch);
      // A second signal means haste; a service that has already got a signal is left to stop by itself.
      if (Object.keys(lastAt).length === 0) service.kill('SIGTERM');
    }, 500);

    service.once('error', reject);
    service.once('exit', (code, signal) => {
      clearInterval(watch);
      resolve(exitCodeOf(code, signal));
    });
  });
}
