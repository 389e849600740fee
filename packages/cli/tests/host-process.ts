/**
 * Runs the program again and again in one process, for commands of which only the output and the exit code count: starting
 * a process costs far more than most commands do. Each run has arguments, environment and streams of its own, as a process
 * has, also while others run.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { main } from '../src/main.ts';

export interface Order {
  id: number;
  args: string[];
  env: Record<string, string | undefined>;
  stdin: string;
}

const own = ['argv', 'env', 'stdin', 'stdout', 'stderr'] as const;
type Own = Record<(typeof own)[number], unknown>;

const runs = new AsyncLocalStorage<Own>();
for (const name of own) {
  const before: unknown = process[name];
  Object.defineProperty(process, name, { get: () => runs.getStore()?.[name] ?? before });
}

async function carryOut({ id, args, env, stdin }: Order): Promise<void> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const printed = [stdout, stderr].map((stream) => text(stream));
  const argv = [process.execPath, 'browserd', ...args];
  const code = await runs.run({ argv, env, stdin: Readable.from([stdin]), stdout, stderr }, main);
  for (const stream of [stdout, stderr]) stream.end();
  const [out, error] = await Promise.all(printed);
  process.send?.({ id, outcome: { code, stdout: out, stderr: error } });
}

process.on('message', (order: Order) => void carryOut(order));
