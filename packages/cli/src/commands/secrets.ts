/** `secrets`: values that the service types into pages. They come from a pipe or a prompt, and are never shown. */
import type { api } from '@browserd/sdk';
import type { Command } from 'commander';
import { act, askSecret, type Call, firstOf, type ListOptions, listOptions, pageSize } from '../call/call.ts';
import { wrongUsage } from '../failure.ts';
import { examples, several } from '../options/options.ts';
import { ago } from '../output/output.ts';

interface SecretOptions {
  origin?: string[];
  totp?: boolean;
  keepValue?: boolean;
}

export function addSecrets(program: Command): void {
  const group = program
    .command('secrets')
    .description(
      'passwords and codes that the service types into pages; changes need a key of the role admin',
    )
    .addHelpText(
      'after',
      examples(
        'browserd secrets create github/password --origin https://github.com',
        'browserd secrets list',
      ),
    );
  listOptions(group.command('list').alias('ls').description('secrets, without their values'))
    .addHelpText('after', examples('browserd secrets list'))
    .action(
      act(async (call: Call<ListOptions>) => {
        const listing = call.client.secrets.list({ limit: pageSize(call), signal: call.signal });
        call.out.list(await firstOf(call, listing), columns, 'No secrets.');
      }),
    );
  group
    .command('create <name>')
    .description('the value is asked for, or read from stdin')
    .option(
      '--origin <origin>',
      'where it may be typed, such as https://github.com; several with commas',
      several,
    )
    .option('--totp', 'the value is the seed of codes by time, as a site shows it beside its QR code')
    .addHelpText(
      'after',
      examples(
        'browserd secrets create github/password --origin https://github.com',
        'pass show github | browserd secrets create github/password --origin https://github.com',
      ),
    )
    .action(act(create));
  group
    .command('update <secret-id>')
    .description('give it another value, which is asked for or read from stdin, or other origins')
    .option('--origin <origin>', 'in place of those it has; several with commas', several)
    .option('--totp', 'the value is the seed of codes by time')
    .option('--keep-value', 'change the origins only')
    .addHelpText('after', examples('browserd secrets update secret_…'))
    .action(act(update));
  group
    .command('delete <secret-id>')
    .alias('rm')
    .description('it can be typed no longer')
    .addHelpText('after', examples('browserd secrets delete secret_…'))
    .action(
      act(async ({ client, out, signal }: Call, id: string) =>
        out.done(await client.secrets.delete(id, { signal }), id, `${id} is deleted`),
      ),
    );
}

const contentOf = async (name: string, totp?: boolean) =>
  totp
    ? { totp: { secret: await askSecret(`Seed of ${name}: `) } }
    : { value: await askSecret(`Value of ${name}: `) };

async function create({ client, out, options, signal }: Call<SecretOptions>, name: string): Promise<void> {
  const { origin: origins, totp } = options;
  if (!origins?.length)
    throw wrongUsage('Say where it may be typed: --origin https://github.com, several with commas.');
  const made = await client.secrets.create({ name, origins, ...(await contentOf(name, totp)) }, { signal });
  out.done(made, made.id, `${made.id} is ${made.name}, for ${made.origins.join(', ')}`);
}

async function update({ client, out, options, signal }: Call<SecretOptions>, id: string): Promise<void> {
  const { origin: origins, totp, keepValue } = options;
  if (keepValue && !origins?.length)
    throw wrongUsage('Nothing would change: give --origin, or leave --keep-value out.');
  const body = { ...(origins?.length && { origins }), ...(!keepValue && (await contentOf(id, totp))) };
  const changed = await client.secrets.update(id, body, { signal });
  out.done(changed, changed.id, `${changed.id} is changed`);
}

const columns = [
  { title: 'ID', value: ({ id }: api.Secret) => id },
  { title: 'NAME', value: ({ name }: api.Secret) => name, flexible: true },
  { title: 'KIND', value: ({ kind }: api.Secret) => kind },
  { title: 'ORIGINS', value: ({ origins }: api.Secret) => origins.join(', '), flexible: true },
  { title: 'LAST USED', value: ({ lastUsedAt }: api.Secret) => ago(lastUsedAt) ?? 'never' },
];
