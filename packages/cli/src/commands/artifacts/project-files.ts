/** `project-files`: files that belong to no browser: uploads, and what `--store` has kept. */
import type { api } from '@browserd/sdk';
import type { Command } from 'commander';
import {
  act,
  type Call,
  firstOf,
  type ListOptions,
  listOptions,
  oneByOne,
  pageSize,
} from '../../call/call.ts';
import { examples, seconds } from '../../options/options.ts';
import { ago, size } from '../../output/output.ts';
import {
  refuseTerminal,
  reportSaved,
  type SaveOptions,
  safeName,
  save,
  takesOutput,
} from '../../save/save.ts';
import { type AddressFlags, printAddress, takesTtl } from './shared-commands.ts';
import { takesUploads, type UploadFlags, uploadEach } from './uploads.ts';

const columns = [
  { title: 'ID', value: ({ id }: api.ProjectFile) => id },
  { title: 'NAME', value: ({ name }: api.ProjectFile) => name, flexible: true },
  { title: 'SIZE', value: ({ size: bytes }: api.ProjectFile) => size(bytes), right: true },
  { title: 'TYPE', value: ({ mimeType }: api.ProjectFile) => mimeType, flexible: true },
  { title: 'SOURCE', value: ({ source }: api.ProjectFile) => source },
  { title: 'CREATED', value: ({ createdAt }: api.ProjectFile) => ago(createdAt) },
  { title: 'UNTIL', value: ({ expiresAt }: api.ProjectFile) => expiresAt ?? undefined },
];

export function addProjectFiles(program: Command): void {
  const group = program
    .command('project-files')
    .description('files of the project, which belong to no browser')
    .addHelpText(
      'after',
      examples('browserd project-files upload logo.png', 'browserd project-files address file_… --ttl 1d'),
    );
  listOptions(group.command('list').alias('ls').description('uploads, stored captures, results of jobs'))
    .addHelpText('after', examples('browserd project-files list', 'browserd project-files list --json'))
    .action(
      act(async (call: Call<ListOptions>) => {
        const listing = call.client.files.list({ limit: pageSize(call), signal: call.signal });
        call.out.list(await firstOf(call, listing), columns, 'No files.');
      }),
    );
  takesUploads(
    group.command('upload <files...>').description('keep files in the project; - for stdin, with --name'),
  )
    .option('--ttl <time>', 'keep them so long; until they are deleted unless given', seconds)
    .addHelpText(
      'after',
      examples(
        'browserd project-files upload logo.png style.css',
        'date | browserd project-files upload - --name now.txt --ttl 1h',
      ),
    )
    .action(
      act(({ client, ...call }: Call<UploadFlags & { ttl?: number }>, paths: string[]) =>
        uploadEach({ client, ...call }, paths, async () => (content, options) => {
          const { ttl: ttlSeconds } = call.options;
          return client.files.upload(content, { ...options, ttlSeconds });
        }),
      ),
    );
  takesOutput(group.command('download <file-id>').description('save a file here'), 'its name, in this folder')
    .addHelpText('after', examples('browserd project-files download file_… -o report.pdf'))
    .action(act(download));
  takesTtl(group.command('address <file-id>').description('an address of its content that needs no key'))
    .addHelpText('after', examples('browserd project-files address file_… --ttl 7d'))
    .action(
      act(async (call: Call<AddressFlags>, id: string) => {
        const { ttl: ttlSeconds } = call.options;
        printAddress(call, await call.client.files.address(id, { ttlSeconds, signal: call.signal }));
      }),
    );
  group
    .command('delete <file-ids...>')
    .alias('rm')
    .description('delete files')
    .addHelpText('after', examples('browserd project-files delete file_…'))
    .action(
      act(async ({ client, out, signal }: Call, ids: string[]) => {
        const remove = (id: string): Promise<api.DeletedArtifact> => client.files.delete(id, { signal });
        await oneByOne(out, ids, remove, ({ id }) => ({ id, words: `${id} is deleted` }));
      }),
    );
}

async function download(call: Call<SaveOptions>, id: string): Promise<void> {
  const to = call.options.output ?? '.';
  refuseTerminal(call, to, 'file');
  const content = await call.client.files.content(id, { signal: call.signal });
  const path = await save(call, content, { to, name: safeName(content.name, id) });
  reportSaved(call, path, content, { id });
}
