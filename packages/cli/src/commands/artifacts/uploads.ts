/** Files of this machine on their way up: several at once, or stdin with a name. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Uploadable } from '@browserd/sdk';
import type { Command } from 'commander';
import { type Call, oneByOne } from '../../call/call.ts';
import { wrongUsage } from '../../failure.ts';
import { counted, size } from '../../output/output.ts';

export interface UploadFlags {
  name?: string;
  type?: string;
}

export const takesUploads = (command: Command): Command =>
  command
    .option('--name <name>', 'another name for it')
    .option('--type <mime>', 'its type, where its content does not tell');

interface Uploaded {
  id: string;
  name: string;
  size: number;
}

type Send<File> = (
  content: Uploadable,
  options: { name: string; mimeType?: string; signal: AbortSignal },
) => Promise<File>;

/** `ready` runs once all files are known to be there, and says where they go. */
export async function uploadEach<File extends Uploaded>(
  { options, out, signal }: Call<UploadFlags>,
  paths: string[],
  ready: () => Promise<Send<File>>,
): Promise<void> {
  if (options.name !== undefined && paths.length > 1) throw wrongUsage('--name is for one file.');
  if (paths.includes('-') && options.name === undefined)
    throw wrongUsage('What comes from stdin needs a --name.');
  const sizes = await Promise.all(paths.map(sizeOf));
  const send = await ready();
  const upload = async (path: string, at: number): Promise<File> => {
    using progress = out.progress();
    const source = path === '-' ? process.stdin : createReadStream(path);
    return await send(counted(source, sizes[at], progress), {
      name: options.name ?? basename(path),
      mimeType: options.type,
      signal,
    });
  };
  await oneByOne(out, paths, upload, ({ id, name, size: bytes }) => ({
    id,
    words: `${id}  ${name} (${size(bytes)})`,
  }));
}

/** All files are checked before the first is sent: a wrong name among several sends nothing. */
async function sizeOf(path: string): Promise<number | undefined> {
  if (path === '-') return undefined;
  const found = await stat(path).catch((error: Error) => {
    throw wrongUsage(`It cannot be uploaded: ${error.message}`);
  });
  if (!found.isFile()) throw wrongUsage(`${path} is not a file.`);
  return found.size;
}
