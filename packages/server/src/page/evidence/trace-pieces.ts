/**
 * The files of a trace, found in the records that a runner sent. A runner may have been taken over by the script in it: names
 * are those a trace has, lengths are checked against the file, and there is an end to how many of them there are.
 */
import { readSync } from 'node:fs';
import { readRecordHead, recordHeadBytes, recordKinds } from '../../runner/wire/trace-records.ts';

export interface TracePieces {
  /** Where each file's bytes are, by its name. */
  files: Map<string, { at: number; bytes: number }[]>;
  /** It grew larger than it may. */
  over: boolean;
  /** Why Playwright could not record it. */
  failed?: string;
}

const mostFiles = 20_000;
const longestName = 256;
const known = /^(trace\.(trace|network|stacks)|(resources|screencast|src)\/[\w.@-]+)$/;

/** Not the folder itself and nothing above it. */
const isName = (name: string): boolean => known.test(name) && !/\/\.+$/.test(name);

export function findPieces(fd: number, size: number): TracePieces {
  const found: TracePieces = { files: new Map(), over: false };
  const head = Buffer.alloc(recordHeadBytes);
  for (let at = 0; at + recordHeadBytes <= size; ) {
    readSync(fd, head, 0, recordHeadBytes, at);
    const { kind, nameBytes, dataBytes } = readRecordHead(head);
    const dataAt = at + recordHeadBytes + nameBytes;
    at = dataAt + dataBytes;
    // Cut off: the runner was ended while it wrote this.
    if (at > size || nameBytes > longestName) break;
    if (kind === recordKinds.over) found.over = true;
    else if (kind === recordKinds.failed) found.failed = textAt(fd, dataAt, Math.min(dataBytes, 500));
    else add(found.files, textAt(fd, dataAt - nameBytes, nameBytes), kind, { at: dataAt, bytes: dataBytes });
  }
  return found;
}

function add(files: TracePieces['files'], name: string, kind: number, piece: { at: number; bytes: number }) {
  const pieces = files.get(name);
  if (pieces && kind === recordKinds.append) pieces.push(piece);
  else if (!pieces && isName(name) && files.size < mostFiles) files.set(name, [piece]);
}

function textAt(fd: number, at: number, bytes: number): string {
  const text = Buffer.alloc(bytes);
  readSync(fd, text, 0, bytes, at);
  return text.toString('utf8');
}

export function readPieces(fd: number, pieces: readonly { at: number; bytes: number }[]): Buffer {
  const all = Buffer.alloc(pieces.reduce((sum, { bytes }) => sum + bytes, 0));
  let filled = 0;
  for (const { at, bytes } of pieces) {
    readSync(fd, all, filled, bytes, at);
    filled += bytes;
  }
  return all;
}
