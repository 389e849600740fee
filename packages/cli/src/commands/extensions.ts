/** `extensions`: packages for browsers that are created with `--extension`. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { api } from '@browserd/sdk';
import type { Command } from 'commander';
import { act, type Call, firstOf, type ListOptions, listOptions, pageSize } from '../call/call.ts';
import { wrongUsage } from '../failure.ts';
import { examples } from '../options/options.ts';
import { ago, counted, size } from '../output/output.ts';

export function addExtensions(program: Command): void {
  const group = program
    .command('extensions')
    .description(
      'extensions for Chromium; changes need a key of the role admin, unless the operator says otherwise',
    )
    .addHelpText(
      'after',
      examples('browserd extensions upload price-watch.zip', 'browserd extensions show extension_…'),
    );
  listOptions(group.command('list').alias('ls').description('extensions of the project'))
    .addHelpText('after', examples('browserd extensions list'))
    .action(
      act(async (call: Call<ListOptions>) => {
        const listing = call.client.extensions.list({ limit: pageSize(call), signal: call.signal });
        call.out.list(await firstOf(call, listing), columns, 'No extensions.');
      }),
    );
  group
    .command('upload <file>')
    .description('a ZIP file with manifest.json at its top, or a CRX; Manifest V3 only')
    .addHelpText(
      'after',
      examples('browserd extensions upload price-watch.zip', 'browserd extensions upload price-watch.crx'),
    )
    .action(act(upload));
  group
    .command('show <extension-id>')
    .description('what it asks for, and the id that Chromium knows it by')
    .addHelpText('after', examples('browserd extensions show extension_…'))
    .action(
      act(async (call: Call, id: string) =>
        print(call, await call.client.extensions.get(id, { signal: call.signal })),
      ),
    );
  group
    .command('delete <extension-id>')
    .alias('rm')
    .description('not while a browser uses it')
    .addHelpText('after', examples('browserd extensions delete extension_…'))
    .action(
      act(async ({ client, out, signal }: Call, id: string) =>
        out.done(await client.extensions.delete(id, { signal }), id, `${id} is deleted`),
      ),
    );
}

async function upload({ client, out, signal }: Call, path: string): Promise<void> {
  const found = await stat(path).catch((error: Error) => {
    throw wrongUsage(`It cannot be uploaded: ${error.message}`);
  });
  if (!found.isFile())
    throw wrongUsage(
      `${path} is not a file. Pack the contents of the folder: cd ${path} && zip -r ../extension.zip .`,
    );
  using progress = out.progress();
  const content = counted(createReadStream(path), found.size, progress);
  const made = await client.extensions.upload(content, { signal });
  out.done(made, made.id, `${made.id} is ${made.name} ${made.version}`);
}

function print({ out }: Call, extension: api.Extension): void {
  if (out.quiet && !out.json) {
    out.lines([extension.id]);
    return;
  }
  const { chromiumId, popup } = extension;
  out.one(extension, [
    ['id', extension.id],
    ['name', extension.name],
    ['version', extension.version],
    ['manifest', String(extension.manifestVersion)],
    ['description', extension.description],
    ['permissions', extension.permissions.join(', ')],
    ['sites', extension.hostPermissions.join(', ')],
    ['optional', [...extension.optionalPermissions, ...extension.optionalHostPermissions].join(', ')],
    ['popup', popup && `chrome-extension://${chromiumId}/${popup.replace(/^\//, '')}`],
    ['chromium id', chromiumId],
    ['size', size(extension.size)],
    ['created', ago(extension.createdAt)],
  ]);
}

const columns = [
  { title: 'ID', value: ({ id }: api.Extension) => id },
  { title: 'NAME', value: ({ name }: api.Extension) => name, flexible: true },
  { title: 'VERSION', value: ({ version }: api.Extension) => version },
  { title: 'PERMISSIONS', value: ({ permissions }: api.Extension) => permissions.join(', '), flexible: true },
  { title: 'SIZE', value: ({ size: bytes }: api.Extension) => size(bytes), right: true },
  { title: 'CREATED', value: ({ createdAt }: api.Extension) => ago(createdAt) },
];
