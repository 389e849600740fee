import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A runner that starts ahead of time gives way to everything else. Each leads a session of its own, which Linux
 * schedules as one group whose weight can be changed without privileges; elsewhere nothing happens.
 */
function weigh(pid: number, nice: number): 'done' | 'busy' {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(nice));
    return 'done';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 'busy' : 'done';
  }
}

export const giveWay = (pid: number): void => void weigh(pid, 15);

/** The kernel takes such a change only ten times a second, so it may need a second try. */
export async function stopGivingWay(pid: number): Promise<void> {
  for (let tries = 0; tries < 20 && weigh(pid, 0) === 'busy'; tries++) await sleep(120);
}
