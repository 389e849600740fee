/**
 * Where bytes of the service are saved:
 *
 *   -o FILE    that file, replacing an old one: the caller named it
 *   -o FOLDER  in it, under the name that the service gives; replaces an old file only with --force
 *   -o -       stdout
 */
import { createWriteStream } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Content } from '@browserd/sdk';
import type { Command } from 'commander';
import type { Call } from '../call/call.ts';
import { wrongUsage } from '../failure.ts';
import { counted, oneLine, size } from '../output/output.ts';
import { fileExists, writeWhole } from '../whole-file.ts';

export { pictureFormat } from './picture-format.ts';

export interface SaveOptions {
  output?: string;
  force?: boolean;
}

export const takesOutput = (command: Command, otherwise: string): Command =>
  command
    .option('-o, --output <path>', `a file, a folder, or - for stdout (default: ${otherwise})`)
    .option('--force', 'overwrite a file of the name that the service gives');

/** Names come from pages: one path segment, nothing invisible, not hidden, not too long. */
export function safeName(name: string | undefined, fallback: string): string {
  const last = basename(oneLine((name ?? '').replaceAll('\\', '/')));
  const bare = last.replace(/^[.\s]+/, '').replace(/[<>:"|?*]/g, '_');
  let kept = '';
  for (const letter of bare) if (Buffer.byteLength(kept + letter) <= 200) kept += letter;
  return kept || fallback;
}

type Look = typeof stat | typeof lstat;

async function kindOf(path: string, look: Look): Promise<'nothing' | 'file' | 'folder' | 'device'> {
  const found = await look(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!found) return 'nothing';
  if (found.isDirectory()) return 'folder';
  return found.isFile() ? 'file' : 'device';
}

interface Place {
  path: string;
  replace: boolean;
  follow: boolean;
  device: boolean;
}

/** A symbolic link that the caller named is followed; a link under the service's name is not. */
async function placeFor(output: string, name: string, force: boolean): Promise<Place> {
  const kind = await kindOf(output, stat);
  if (kind !== 'folder') return { path: output, replace: true, follow: true, device: kind === 'device' };
  const path = join(output, name);
  const there = await kindOf(path, lstat);
  if (there !== 'nothing' && (there !== 'file' || !force)) throw fileExists(path);
  return { path, replace: force, follow: false, device: false };
}

/** Called before the request, so that bytes without a destination are not fetched. */
export function refuseTerminal({ out }: Call, to: string, example: string): void {
  if (to === '-' && out.onTerminal)
    throw wrongUsage(
      `Bytes would make a mess of the terminal. Name a file, such as -o ${example}, or pipe it on.`,
    );
}

/** Gives the path; undefined for stdout. */
export function save(call: Call<SaveOptions>, content: Content, where: Where): Promise<string | undefined> {
  return saveBytes(call, Readable.fromWeb(content.stream as never), content.size, where);
}

interface Where {
  to: string;
  /** The file name, if `to` is a folder. */
  name: string;
}

export async function saveBytes(
  call: Call<SaveOptions>,
  chunks: Readable,
  total: number | undefined,
  { to, name }: Where,
): Promise<string | undefined> {
  using progress = call.out.progress();
  const bytes = counted(chunks, total, progress);
  if (to === '-') {
    await pipeline(bytes, process.stdout, { signal: call.signal, end: false });
    return undefined;
  }
  const place = await placeFor(to, name, call.options.force === true);
  if (place.device) await pipeline(bytes, createWriteStream(place.path), { signal: call.signal });
  else await writeWhole(place.path, stoppable(bytes, call.signal), place);
  return place.path;
}

async function* stoppable(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    yield chunk;
  }
}

/** Prints the path; with `--json` as a document, unless stdout has the bytes. */
export function reportSaved(
  { out }: Call,
  path: string | undefined,
  content: Content,
  about: object = {},
): void {
  if (path === undefined) return;
  const { size: bytes, mimeType } = content;
  if (out.json) out.document({ path, size: bytes, mimeType, ...about });
  else out.done(undefined, path, `${path}${bytes === undefined ? '' : ` (${size(bytes)})`}`);
}
