/** How scripts run other tools: so that none outlives the script, and signals arrive where they are meant to. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { Problem, root } from './program.mjs';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The exit code of a shell for a process that ended so. */
export const exitCodeOf = (code, signal) => code ?? 128 + constants.signals[signal];

/**
 * Runs one tool to its end and returns its exit code. A signal to this process goes on to the tool, and this process
 * stays until the tool is gone: an `npm ci` or an `apt-get` is never left running on its own.
 */
export function run(command, args, { env = process.env, cwd = root, onSpawn } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: 'inherit' });
    let ended = null;
    const passOn = (signal) => {
      ended = signal;
      child.kill(signal);
    };
    for (const signal of signals) process.on(signal, passOn);
    const settle = (action) => {
      for (const signal of signals) process.off(signal, passOn);
      action();
    };
    child.once('spawn', () => onSpawn?.(child.pid));
    child.once('error', (error) =>
      settle(() =>
        reject(new Problem(`${command} could not be started: ${error.message}`, { cause: error })),
      ),
    );
    child.once('exit', (code, signal) =>
      settle(() => {
        if (ended) process.exit(exitCodeOf(null, ended));
        resolve(exitCodeOf(code, signal));
      }),
    );
  });
}

/** Runs one tool silently: its exit code and what it wrote, both streams in the order they came. */
export function capture(command, args, { env = process.env } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => {
        output += text;
      });
    }
    child.once('error', (error) => resolve({ code: 127, output: `${command}: ${error.message}\n` }));
    child.once('close', (code, signal) => resolve({ code: exitCodeOf(code, signal), output }));
  });
}
