/** `keys`: API keys of the project. */
import type { api } from '@browserd/sdk';
import { type Command, Option } from 'commander';
import { act, type Call, firstOf, type ListOptions, listOptions, pageSize } from '../call/call.ts';
import { duration, examples } from '../options/options.ts';
import { ago, ahead } from '../output/output.ts';

interface CreateKeyOptions {
  role: api.CreateKey['role'];
  expires?: number;
}

export function addKeys(program: Command): void {
  const keys = program
    .command('keys')
    .description('API keys of the project; needs a key of the role admin')
    .addHelpText('after', examples('browserd keys create ci --expires 30d', 'browserd keys list'));
  listOptions(keys.command('list').alias('ls').description('keys, without their secrets'))
    .addHelpText('after', examples('browserd keys list', 'browserd keys list --json | jq -r ".[].name"'))
    .action(
      act(async (call: Call<ListOptions>) => {
        const listing = call.client.keys.list({ signal: call.signal, limit: pageSize(call) });
        call.out.list(await firstOf(call, listing), columns, 'No keys.');
      }),
    );
  keys
    .command('create <name>')
    .description('make a key; its secret is shown this once')
    .addOption(
      new Option('--role <role>', 'admin manages keys, webhooks and secrets')
        .choices(['admin', 'member'])
        .default('member'),
    )
    .option('--expires <time>', 'stops working after this, such as 30d', duration)
    .addHelpText(
      'after',
      examples('browserd keys create ci --expires 30d', 'KEY=$(browserd keys create ci --quiet)'),
    )
    .action(
      act(async ({ client, out, signal, options }: Call<CreateKeyOptions>, name: string) => {
        const { role, expires } = options;
        const expiresAt = expires === undefined ? undefined : new Date(Date.now() + expires).toISOString();
        const key = await client.keys.create({ name, role, expiresAt }, { signal });
        if (out.quiet || out.json) return out.done(key, key.key, key.key);
        out.one(key, [
          ['id', key.id],
          ['name', key.name],
          ['role', key.role],
          ['expires', key.expiresAt ?? 'never'],
          ['key', key.key],
        ]);
        out.note('The key is shown this once. Keep it where only its user can read it.');
      }),
    );
  keys
    .command('revoke <key-id>')
    .description('a revoked key stops working at once')
    .addHelpText('after', examples('browserd keys revoke key_01ja9q4m8h2f7t3k5w6x8y0z1a'))
    .action(
      act(async ({ client, out, signal }: Call, id: string) => {
        const revoked = await client.keys.revoke(id, { signal });
        out.done(revoked, revoked.id, `${revoked.id} is revoked`);
      }),
    );
}

const columns = [
  { title: 'ID', value: ({ id }: api.Key) => id },
  { title: 'NAME', value: ({ name }: api.Key) => name, flexible: true },
  { title: 'ROLE', value: ({ role }: api.Key) => role },
  { title: 'CREATED', value: ({ createdAt }: api.Key) => ago(createdAt) },
  { title: 'LAST USED', value: ({ lastUsedAt }: api.Key) => ago(lastUsedAt) ?? 'never' },
  { title: 'EXPIRES', value: ({ expiresAt }: api.Key) => ahead(expiresAt) ?? 'never' },
];
