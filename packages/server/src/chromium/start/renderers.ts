/** Which process of a Chromium runs pages: ending it ends those pages, and Chromium itself goes on. */
import { readFileSync } from 'node:fs';

export function isRenderer(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('--type=renderer');
  } catch {
    return false;
  }
}

export function endRenderer(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended meanwhile
  }
}
