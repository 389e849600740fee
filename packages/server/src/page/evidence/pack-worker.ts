/** The thread that packs (see packer.ts): it reads what a runner sent, takes out what must not leave, and writes the ZIP file. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { masked } from '../../kit/mask-headers.ts';
import { redactAddresses } from '../../kit/redact-address.ts';
import { threadGivesWay } from '../../process/priority.ts';
import { maskedBytes } from '../../secrets/secrets.ts';
import { TraceCleaner } from './hidden-credentials.ts';
import type { Packed, PackTask } from './packer.ts';
import { findPieces, readPieces } from './trace-pieces.ts';
import { ZipFile } from './zip.ts';

threadGivesWay();

const newline = 10;
/** Lines are cleaned in portions of about this size. */
const portionBytes = 4 * 1024 ** 2;

const { out, secrets = [], trace, entries = [] } = workerData as PackTask;
const cleaner = new TraceCleaner();
const maskOfBytes = Buffer.from(masked).toString('latin1');

/** Each byte a letter: a value is found in text and in what only looks like it. */
function changed(data: Buffer, change: (text: string) => string): Buffer {
  const text = data.toString('latin1');
  const shown = change(text);
  return shown === text ? data : Buffer.from(shown.replaceAll(masked, maskOfBytes), 'latin1');
}

const withoutSecrets = (data: Buffer): Buffer => maskedBytes(secrets, data);

/** The last line has no end when the runner was ended while it wrote it; it is left out. */
function cleanLines(data: Buffer): Buffer {
  const clean: Buffer[] = [];
  for (let at = 0; at < data.length; ) {
    const end = data.indexOf(newline, Math.min(at + portionBytes, data.length - 1));
    const last = end === -1 ? data.lastIndexOf(newline) : end;
    if (last < at) break;
    const lines = withoutSecrets(data.subarray(at, last)).toString('utf8').split('\n');
    const kept = lines.map((line) => cleaner.line(line)).filter((line) => line !== undefined);
    clean.push(Buffer.from(`${kept.join('\n')}\n`));
    at = last + 1;
  }
  return Buffer.concat(clean);
}

/** One line a call becomes the list that the viewer reads. All of a script's lines are in one file. */
function stacksOf(data: Buffer): Buffer {
  const stacks = data
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
  return Buffer.from(JSON.stringify({ files: ['script'], stacks }));
}

/** The code is the caller's own. */
function cleanBody(name: string, data: Buffer): Buffer {
  const clean = withoutSecrets(data);
  return name.startsWith('resources/') ? changed(clean, (text) => cleaner.body(name, text)) : clean;
}

const cleaners: Record<string, (data: Buffer) => Buffer> = {
  'trace.trace': cleanLines,
  'trace.network': cleanLines,
  'trace.stacks': stacksOf,
};

function packTrace(zip: ZipFile, path: string): string | undefined {
  const fd = openSync(path, 'r');
  try {
    const { files, over, failed } = findPieces(fd, fstatSync(fd).size);
    if (over) return 'over';
    if (failed !== undefined) return `Playwright could not record it: ${failed}`;
    if (!files.has('trace.trace')) return 'Nothing was recorded before the call ended.';
    for (const [name, pieces] of files) {
      const data = readPieces(fd, pieces);
      const clean = cleaners[name] ?? ((bytes) => cleanBody(name, bytes));
      zip.add(name, clean(data));
    }
    return undefined;
  } finally {
    closeSync(fd);
  }
}

function bytesOf({ path, data = '', isOwn }: NonNullable<PackTask['entries']>[number]): Buffer {
  if (path !== undefined) return readFileSync(path);
  if (typeof data !== 'string') return Buffer.from(data);
  return withoutSecrets(Buffer.from(isOwn ? data : redactAddresses(data)));
}

function pack(): Packed {
  const fd = openSync(out, 'wx', 0o600);
  try {
    const zip = new ZipFile(fd);
    const omitted = trace === undefined ? undefined : packTrace(zip, trace);
    if (omitted) return { omitted };
    for (const entry of entries) zip.add(entry.name, bytesOf(entry));
    zip.end();
    return { bytes: zip.bytes };
  } finally {
    closeSync(fd);
  }
}

parentPort?.postMessage(pack());
