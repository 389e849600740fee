/**
 * Reads small files of /proc. They are made as they are read, so this costs less than a task for each. None of them makes
 * the service wait but `stat` of a process that is loading its program.
 */
import { closeSync, openSync, readSync } from 'node:fs';

const buffer = Buffer.alloc(8192);

/** Its first 8 KiB; undefined: the process has gone. */
export function readProc(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    return buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The fields of `/proc/pid/stat` from the third on; the command name before them may hold spaces and brackets. */
export const statFields = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ');
