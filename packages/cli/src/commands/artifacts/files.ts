/** `files`: uploads for scripts, and what scripts and captures have stored. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { api } from '@browserd/sdk';
import type { Command } from 'commander';
import { act, type Call, oneByOne, whichBrowser } from '../../call/call.ts';
import { wrongUsage } from '../../failure.ts';
import { examples } from '../../options/options.ts';
import { ago, counted, size } from '../../output/output.ts';
import { type Artifacts, addDelete, addListing, addSave } from './shared-commands.ts';

const files: Artifacts<api.File> = {
  noun: 'file',
  of: (browser) => browser.files,
  columns: [
    { title: 'ID', value: ({ id }) => id },
    { title: 'NAME', value: ({ name }) => name, flexible: true },
    { title: 'SIZE', value: ({ size: bytes }) => size(bytes), right: true },
    { title: 'TYPE', value: ({ mimeType }) => mimeType, flexible: true },
    { title: 'SOURCE', value: ({ source }) => source },
    { title: 'CREATED', value: ({ createdAt }) => ago(createdAt) },
  ],
};

export function addFiles(program: Command): void {
  const group = program
    .command('files')
    .description('files of a browser: uploads, and what scripts and captures made')
    .addHelpText('after', examples('browserd files list shop', 'browserd files upload shop photo.jpg'));
  addListing(group, files);
  addUpload(group);
  addSave(group, { ...files, verb: 'download' }).addHelpText(
    'after',
    examples(
      'browserd files download shop file_… -o report.csv',
      'browserd files download shop file_… -o - | wc -l',
    ),
  );
  addDelete(group, files);
}

interface UploadOptions {
  name?: string;
  type?: string;
}

function addUpload(group: Command): void {
  group
    .command('upload <browser> <files...>')
    .description('give files to a browser, for setInputFiles(await files.path(id)); - for stdin, with --name')
    .option('--name <name>', 'another name for it')
    .option('--type <mime>', 'its type, where its content does not tell')
    .addHelpText(
      'after',
      examples('browserd files upload shop photo.jpg', 'date | browserd files upload shop - --name now.txt'),
    )
    .action(
      act(async (call: Call<UploadOptions>, name: string, paths: string[]) => {
        const { options, out } = call;
        if (options.name !== undefined && paths.length > 1) throw wrongUsage('--name is for one file.');
        if (paths.includes('-') && options.name === undefined)
          throw wrongUsage('What comes from stdin needs a --name.');
        const sizes = await Promise.all(paths.map(sizeOf));
        const browser = await whichBrowser(call, name);
        const upload = async (path: string, at: number): Promise<api.File> => {
          using progress = out.progress();
          const source = path === '-' ? process.stdin : createReadStream(path);
          return await browser.files.upload(counted(source, sizes[at], progress), {
            name: options.name ?? basename(path),
            mimeType: options.type,
            signal: call.signal,
          });
        };
        await oneByOne(out, paths, upload, ({ id, name, size: bytes }) => ({
          id,
          words: `${id}  ${name} (${size(bytes)})`,
        }));
      }),
    );
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
