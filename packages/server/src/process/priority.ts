/**
 * Every priority that the service gives is decided here, so that they can be weighed against each other.
 *
 * A process that starts in the background must not slow the pages that run. Every child process leads a session of its
 * own, which Linux schedules as one group (sched_autogroup): the group's weight can be lowered and raised again,
 * without privileges, for all its threads at once. Where the kernel forms no such groups (in most containers), the nice value
 * that all of them start with still puts them below the service.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { statFields } from './proc-files.ts';

/**
 * All of them weigh less than the service, which must answer every project while the pages and scripts of one are busy.
 * `running`: a page or a script at work, half of the service. `always`: work that must make progress, at a third of
 * that. `crowding`: of a project that takes the processors from others. `starting`: until it is wanted.
 */
const nice = { starting: 15, crowding: 15, always: 8, running: 3 } as const;
/** Where the service itself goes first, pages at work weigh as much as what else runs on the machine: it is a tenth of the service. */
const ordinary = 0;

const program = ['/usr/bin/nice', '/bin/nice'].find((path) => existsSync(path));

/** Of a service that may: ten times the weight of an ordinary process. */
const service = -10;

/**
 * The service's own loop goes before all boxes, and before what else runs on the machine. It needs little, but at once; without
 * the privilege it stays as it is, and the boxes weigh less.
 */
export function goFirst(): void {
  try {
    // The loop waits for threads of its own (V8 collects garbage with some), so they must not be left behind.
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), service);
    if (leadsItsSession()) writeFileSync('/proc/self/autogroup', String(service));
  } catch {
    // An ordinary user may not, and some kernels form no groups.
  }
}

/** As under systemd, in a container and after `npm start`. The session of a shell weighs for all that runs in it, and outlives us. */
function leadsItsSession(): boolean {
  const session = statFields(readFileSync('/proc/self/stat', 'latin1'))[3];
  return Number(session) === process.pid;
}

/** Of a thread that works for seconds while the service's loop answers. */
const busyThread = 5;

/**
 * The thread that calls it, and those that it starts from now on, go behind the service's loop. Linux has a nice value for each
 * thread, which a thread can raise itself; elsewhere it would be the value of the whole service. One that is higher already,
 * because the operator started the service so, could not be lowered without the privilege, and stays.
 */
export function threadGivesWay(): void {
  if (process.platform === 'linux' && getPriority() < busyThread) setPriority(busyThread);
}

const niceOf = (how: keyof typeof nice): number =>
  how === 'running' && getPriority() <= service ? ordinary : nice[how];

/** The same command, whose processes give way to the service; they would have its own priority otherwise. */
export const belowService = (command: readonly string[]): string[] =>
  program ? [program, '-n', String(niceOf('running') - getPriority()), ...command] : [...command];

function weigh(pid: number, value: number): 'done' | 'busy' {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(value));
    return 'done';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 'busy' : 'done';
  }
}

/** False: the kernel takes no more changes for now. */
export const giveWay = (pid: number, how: keyof typeof nice): boolean => weigh(pid, niceOf(how)) === 'done';

/** The kernel takes such a change only ten times a second from an unprivileged process, so it may need a second try. */
export async function stopGivingWay(pid: number): Promise<void> {
  for (let tries = 0; tries < 20 && weigh(pid, niceOf('running')) === 'busy'; tries++) await sleep(120);
}
