import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** What a server may leave behind: processes that know its scratch folder, and files in that folder. */
export function processesOf(scratchDir: string): string[] {
  const found: string[] = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      if (!/chrom|bwrap/.test(command)) continue;
      // Inside a box the profile is bound to another path: the mounts of the process show the real one.
      const knows = () => readFileSync(`/proc/${pid}/mountinfo`, 'utf8').includes(scratchDir);
      if (command.includes(scratchDir) || knows()) found.push(`${pid} ${command.slice(0, 120)}`);
    } catch {
      // ended while we looked
    }
  }
  return found;
}

/** The folder that a running browser has its profile in. */
export const profileOf = (scratchDir: string, browserId: string): string =>
  join(scratchDir, basename(readlinkSync(join(scratchDir, browserId))));

/** The main processes of the Chromiums with a profile in this folder, or with this one, as an operator would find them with ps. */
export function chromiumOf(folder: string): number[] {
  return processesOf(folder)
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
