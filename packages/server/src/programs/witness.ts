/**
 * Among several nodes, the service runs as the child of this process, which lives a moment longer:
 *
 *   supervisor ──signals──> witness ──signals──> service ──pipes──> Chromiums
 *                              └────channel: its boot────┘
 *
 * The other nodes can only wait until the lease of a service that fell silent is over. Its parent knows at once: when the
 * service has ended, whatever ended it, so have its Chromiums. The witness then says so in the database (`bury`), and the
 * others take its browsers over. It is the parent and no process beside the service, because the end of the first process
 * of a container, or of a unit of systemd, takes all others along. When the witness itself is killed, the service sees its
 * channel close and stops in good order; when both are, the lease decides.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../config.ts';
import { createLog, type Log } from '../kit/log.ts';
import { openSealing } from '../sealing/sealing.ts';
import { openStore } from '../store/store.ts';

/** What the service tells its witness, once it is a node. */
export interface Joined {
  bootId: string;
}

export interface WitnessParts {
  /** What Node runs as the service. */
  args: readonly string[];
  /** Says in the database that the boot is over, and gives the number of its browsers that others may take. */
  bury(bootId: string): Promise<number>;
  onJoined?(bootId: string): void;
  /** After so long without a database, its lease is over anyway. */
  patienceMs: number;
  log: Log;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const pauseMs = 250;
/** The last message of the service may arrive after its exit code. */
const lastWordsMs = 1000;

/** Runs the service of a node, and declares its boot gone when it has ended; gives its exit code. */
export async function witnessOf(service: string, env: NodeJS.ProcessEnv): Promise<number> {
  const config = readConfig(env);
  const log = createLog(config.logLevel);
  let store: ReturnType<typeof openStore> | undefined;
  const open = () => {
    store ??= openStore({ ...config, sealing: openSealing(config) });
    store.catch(() => {
      store = undefined;
    });
    return store;
  };
  return await witness({
    args: ['--disable-warning=ExperimentalWarning', service],
    patienceMs: config.lease,
    log,
    // Opened ahead: at the end of the service each moment counts. One that cannot be opened now is tried again then.
    onJoined: () => void open().catch(() => undefined),
    bury: async (bootId) => (await (await open()).nodes.bury(bootId, 'crash', 0)).length,
  });
}

export async function witness({ args, bury, onJoined, patienceMs, log }: WitnessParts): Promise<number> {
  // A process group of its own: a signal from the terminal reaches it once, through this process.
  const child = spawn(process.execPath, args, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  let bootId: string | undefined;
  child.on('message', (message: Joined) => {
    bootId = message.bootId;
    onJoined?.(bootId);
  });
  const passOn = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of signals) process.on(signal, passOn);
  const leave = (): void => passOn('SIGTERM');
  process.once('disconnect', leave);
  try {
    const closed = once(child, 'close');
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    if (bootId === undefined) await Promise.race([closed, sleep(lastWordsMs, undefined, { ref: false })]);
    if (bootId !== undefined) await buried({ bury, patienceMs, log }, bootId, signal ?? code);
    return code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
  } finally {
    for (const signal of signals) process.off(signal, passOn);
    process.off('disconnect', leave);
  }
}

/** A database that is away is asked again, until the lease is over anyway. */
async function buried(
  { bury, patienceMs, log }: Pick<WitnessParts, 'bury' | 'patienceMs' | 'log'>,
  bootId: string,
  end: NodeJS.Signals | number | null,
): Promise<void> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      const browsers = await bury(bootId);
      log.info({ bootId, end, browsers }, 'witness.buried');
      return;
    } catch (error) {
      log.warn({ err: error, bootId }, 'witness.bury_failed');
    }
    if (performance.now() >= until) return;
    await sleep(pauseMs);
  }
}
