/**
 * A process that starts in the background must not slow the pages that run. Every child process leads a session of its
 * own, which Linux schedules as one group (sched_autogroup): the group's weight can be lowered and raised again,
 * without privileges, for all its threads at once. Where the kernel has no such groups, nothing happens.
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * All of them weigh less than the service, which must answer every project while the pages and scripts of one are busy.
 * `running`: a page or a script at work, a tenth of the service. `always`: work that must make progress, at a third of
 * that. `starting`: until it is wanted.
 */
const nice = { starting: 19, always: 15, running: 10 } as const;

function weigh(pid: number, value: number): 'done' | 'busy' {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(value));
    return 'done';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 'busy' : 'done';
  }
}

export const giveWay = (pid: number, how: keyof typeof nice): void => void weigh(pid, nice[how]);

/** The kernel takes such a change only ten times a second from an unprivileged process, so it may need a second try. */
export async function stopGivingWay(pid: number): Promise<void> {
  for (let tries = 0; tries < 20 && weigh(pid, nice.running) === 'busy'; tries++) await sleep(120);
}
