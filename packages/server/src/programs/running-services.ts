/**
 * Services that run on this machine, as the operator's own tools find them: by their command lines, with the folder and
 * the database that their environment names. Only what the operator may read is found, and only Linux shows it. In a
 * container the same path is another folder: its services are left out.
 */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { settings, variableOf } from '../config.ts';

export interface RunningService {
  pid: number;
  dataDir: string;
  databaseUrl?: string;
}

/** The sources, a package, and the bundle that `npm start` makes; the witness of a service names the same folders. */
const isService = (args: string[]): boolean =>
  args.some((arg) => /\/programs\/(main|start)\.(ts|js)$|\/browserd-service\/[^/]+\.m?js$/.test(arg));

const listOf = (file: string): string[] => readFileSync(file, 'utf8').split('\0');

function environmentOf(folder: string): Map<string, string> {
  return new Map(
    listOf(`${folder}/environ`).map((entry): [string, string] => {
      const at = entry.indexOf('=');
      return [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
}

/** Whether a path leads the service and the operator to one folder; systemd gives a service mounts of its own, too. */
function isSameFolder(path: string, rootOfService: string): boolean {
  const [here, there] = [statSync(path), statSync(join(rootOfService, path))];
  return here.dev === there.dev && here.ino === there.ino;
}

function serviceOf(pid: string): RunningService[] {
  const folder = `/proc/${pid}`;
  try {
    if (!isService(listOf(`${folder}/cmdline`))) return [];
    const env = environmentOf(folder);
    const named = env.get(variableOf('dataDir')) ?? settings.dataDir.fallback ?? '';
    const dataDir = resolve(readlinkSync(`${folder}/cwd`), named);
    if (!isSameFolder(dataDir, `${folder}/root`)) return [];
    return [{ pid: Number(pid), dataDir, databaseUrl: env.get(variableOf('databaseUrl')) }];
  } catch {
    // it ended meanwhile, has no data folder yet, or belongs to another user
    return [];
  }
}

export function runningServices(): RunningService[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(serviceOf);
  } catch {
    return [];
  }
}
