import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';

/** What a server may leave behind: processes that know its scratch folder, and files in that folder. */
export function processesOf(scratchDir: string): string[] {
  const found: string[] = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      // Inside a box the profile is bound to another path: the mounts of the process tell the real one.
      const mounts = readFileSync(`/proc/${pid}/mountinfo`, 'utf8');
      if (/chrom|bwrap/.test(command) && (command.includes(scratchDir) || mounts.includes(scratchDir)))
        found.push(`${pid} ${command.slice(0, 120)}`);
    } catch {
      // ended while we looked
    }
  }
  return found;
}

/** The main process of every Chromium with its profile there, as an operator would find it with ps. */
export function chromiumOf(scratchDir: string): number[] {
  return processesOf(scratchDir)
    .filter((line) => /chromium-headless-shell --headless|chromium --headless/.test(line))
    .filter((line) => !line.includes('bwrap'))
    .map((line) => Number(line.split(' ')[0]));
}

export const filesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** The names of all files below a folder, however deep. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
