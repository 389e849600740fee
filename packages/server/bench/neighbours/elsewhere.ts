/**
 * Hostile callers, and the sites that their pages ask, are on other machines: what they compute there takes no processor from this one.
 * So their process runs only when nothing else wants to, as far as the kernel lets this one say so.
 */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';

const roots = ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup'];
const groupIn = (root: string): string => join(root, 'browserd-bench');

export function standAside(): void {
  for (const group of roots.map(groupIn))
    try {
      mkdirSync(group, { recursive: true });
      writeFileSync(join(group, 'cpu.idle'), '1');
      writeFileSync(join(group, 'cgroup.procs'), String(process.pid));
      return;
    } catch {
      // There is none, or it is not ours.
    }
  setPriority(19);
  if (existsSync('/proc/self/autogroup')) writeFileSync('/proc/self/autogroup', '19');
}

/** When no such process is left. */
export function clearAway(): void {
  for (const group of roots.map(groupIn))
    try {
      rmdirSync(group);
    } catch {
      // It was never made.
    }
}
