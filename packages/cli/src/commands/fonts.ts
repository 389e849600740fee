/** `fonts`: of the project, for all of its pages. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { api } from '@browserd/sdk';
import type { Command } from 'commander';
import { act, type Call, firstOf, type ListOptions, listOptions, pageSize } from '../call/call.ts';
import { wrongUsage } from '../failure.ts';
import { examples } from '../options/options.ts';
import { ago, counted, size } from '../output/output.ts';

export function addFonts(program: Command): void {
  const group = program
    .command('fonts')
    .description('fonts that pages of the project find by their names')
    .addHelpText('after', examples('browserd fonts upload brand-bold.ttf', 'browserd fonts list'));
  listOptions(group.command('list').alias('ls').description('fonts of the project'))
    .addHelpText('after', examples('browserd fonts list'))
    .action(
      act(async (call: Call<ListOptions>) => {
        const listing = call.client.fonts.list({ limit: pageSize(call), signal: call.signal });
        call.out.list(await firstOf(call, listing), columns, 'No fonts.');
      }),
    );
  group
    .command('upload <file>')
    .description('a TTF, an OTF or a TTC; the same one again is the font that is there')
    .addHelpText('after', examples('browserd fonts upload brand-bold.ttf'))
    .action(act(upload));
  group
    .command('show <font-id>')
    .description('what CSS calls it by')
    .addHelpText('after', examples('browserd fonts show font_…'))
    .action(
      act(async (call: Call, id: string) =>
        print(call, await call.client.fonts.get(id, { signal: call.signal })),
      ),
    );
  group
    .command('delete <font-id>')
    .alias('rm')
    .description('browsers that run keep it until they end')
    .addHelpText('after', examples('browserd fonts delete font_…'))
    .action(
      act(async ({ client, out, signal }: Call, id: string) =>
        out.done(await client.fonts.delete(id, { signal }), id, `${id} is deleted`),
      ),
    );
}

async function upload({ client, out, signal }: Call, path: string): Promise<void> {
  const found = await stat(path).catch((error: Error) => {
    throw wrongUsage(`It cannot be uploaded: ${error.message}`);
  });
  if (!found.isFile()) throw wrongUsage(`${path} is not a file. Upload each font by itself.`);
  using progress = out.progress();
  const content = counted(createReadStream(path), found.size, progress);
  const made = await client.fonts.upload(content, { signal });
  out.done(made, made.id, `${made.id} is ${namesOf(made)}`);
}

function print({ out }: Call, font: api.Font): void {
  if (out.quiet && !out.json) {
    out.lines([font.id]);
    return;
  }
  out.one(font, [
    ['id', font.id],
    ['format', font.format],
    ['names', namesOf(font)],
    ['local()', font.faces.map(({ fullName, family }) => fullName ?? family).join(', ')],
    ['size', size(font.size)],
    ['created', ago(font.createdAt)],
  ]);
}

const namesOf = ({ faces }: api.Font): string =>
  faces.map(({ family, style }) => `${family} ${style}`).join(', ');

const columns = [
  { title: 'ID', value: ({ id }: api.Font) => id },
  { title: 'NAMES', value: namesOf, flexible: true },
  { title: 'FORMAT', value: ({ format }: api.Font) => format },
  { title: 'SIZE', value: ({ size: bytes }: api.Font) => size(bytes), right: true },
  { title: 'CREATED', value: ({ createdAt }: api.Font) => ago(createdAt) },
];
