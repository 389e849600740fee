/**
 * Services that run on this machine, as the operator's own tools find them: by their command lines, with the folder and
 * the database that their environment names. Only what the operator may read is found, and only Linux shows it; in a
 * container there are other paths, so its services are left out.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { settings, variableOf } from '../config.ts';

export interface RunningService {
  pid: number;
  dataDir: string;
  databaseUrl?: string;
}

/** The sources, a package, and the bundle that `npm start` makes. */
const isService = (args: string[]): boolean =>
  args.some((arg) => /\/programs\/main\.(ts|js)$|\/browserd-service\/[^/]+\.m?js$/.test(arg));

const listOf = (file: string): string[] => readFileSync(file, 'utf8').split('\0');

function environmentOf(folder: string): Map<string, string> {
  return new Map(
    listOf(`${folder}/environ`).map((entry): [string, string] => {
      const at = entry.indexOf('=');
      return [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
}

function serviceOf(pid: string, mounts: string): RunningService[] {
  const folder = `/proc/${pid}`;
  try {
    if (!isService(listOf(`${folder}/cmdline`))) return [];
    if (readlinkSync(`${folder}/ns/mnt`) !== mounts) return [];
    const env = environmentOf(folder);
    const dataDir = env.get(variableOf('dataDir')) ?? settings.dataDir.fallback ?? '';
    return [
      {
        pid: Number(pid),
        dataDir: resolve(readlinkSync(`${folder}/cwd`), dataDir),
        databaseUrl: env.get(variableOf('databaseUrl')),
      },
    ];
  } catch {
    // it ended meanwhile, or belongs to another user
    return [];
  }
}

export function runningServices(): RunningService[] {
  try {
    const mounts = readlinkSync('/proc/self/ns/mnt');
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => serviceOf(pid, mounts));
  } catch {
    return [];
  }
}
