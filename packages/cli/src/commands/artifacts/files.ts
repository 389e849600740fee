/** `files`: uploads for scripts, and what scripts and captures have stored. */
import type { api } from '@browserd/sdk';
import type { Command } from 'commander';
import { act, type Call, whichBrowser } from '../../call/call.ts';
import { examples } from '../../options/options.ts';
import { ago, size } from '../../output/output.ts';
import { type Artifacts, addAddress, addDelete, addListing, addSave } from './shared-commands.ts';
import { takesUploads, type UploadFlags, uploadEach } from './uploads.ts';

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
  addAddress(group, files);
  addDelete(group, files);
}

function addUpload(group: Command): void {
  takesUploads(
    group
      .command('upload <browser> <files...>')
      .description(
        'give files to a browser, for setInputFiles(await files.path(id)); - for stdin, with --name',
      ),
  )
    .addHelpText(
      'after',
      examples('browserd files upload shop photo.jpg', 'date | browserd files upload shop - --name now.txt'),
    )
    .action(
      act((call: Call<UploadFlags>, name: string, paths: string[]) =>
        uploadEach(call, paths, async () => {
          const browser = await whichBrowser(call, name);
          return (content, options) => browser.files.upload(content, options);
        }),
      ),
    );
}
