import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A Chromium that starts in the background must not slow the pages that run. Every child of ours leads
 * a session of its own, which Linux schedules as one group (sched_autogroup): the group's weight can be
 * lowered while it boots and raised again, without privileges, for all its threads at once. Where the
 * kernel has no such groups, nothing happens.
 */
const background = 15;
/** For work that must get on: a third of what a running page weighs. */
const gentle = 5;
const normal = 0;

function setGroupNice(pid: number, nice: number): 'done' | 'busy' {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(nice));
    return 'done';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 'busy' : 'done';
  }
}

export const lowerPriority = (pid: number, forGood: boolean): void =>
  void setGroupNice(pid, forGood ? gentle : background);

/** The kernel takes such a change only ten times a second from an unprivileged process, so it may need a second try. */
export async function restorePriority(pid: number): Promise<void> {
  for (let tries = 0; tries < 20 && setGroupNice(pid, normal) === 'busy'; tries++) await sleep(120);
}
