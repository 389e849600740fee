/** `webhooks`: addresses that receive events, and their deliveries. */
import type { api } from '@browserd/sdk';
import { type Command, Option } from 'commander';
import { act, type Call, firstOf, type ListOptions, listOptions, pageSize, readStdin } from '../call/call.ts';
import { examples, several, withoutGaps } from '../options/options.ts';
import { ago } from '../output/output.ts';

interface CreateWebhookOptions {
  event?: string[];
  description?: string;
  secret?: string;
}

export function addWebhooks(program: Command): void {
  const group = program
    .command('webhooks')
    .description('tell your server of events; needs a key of the role admin')
    .addHelpText(
      'after',
      examples('browserd webhooks create https://example.com/hook', 'browserd webhooks deliveries webhook_…'),
    );
  listOptions(group.command('list').alias('ls').description('webhooks of the project'))
    .addHelpText('after', examples('browserd webhooks list'))
    .action(
      act(async (call: Call<ListOptions>) => {
        const listing = call.client.webhooks.list({ limit: pageSize(call), signal: call.signal });
        call.out.list(await firstOf(call, listing), columns, 'No webhooks.');
      }),
    );
  group
    .command('create <url>')
    .description('send events to an address; the secret that signs them is shown this once')
    .option('--event <type>', 'which, such as browser.*,download.completed; all unless given', several)
    .option('--description <text>', 'what it is for')
    .option(
      '--secret <secret>',
      'your own, instead of one that is made: whsec_ and base64; - reads it from stdin',
    )
    .addHelpText(
      'after',
      examples("browserd webhooks create https://example.com/hook --event 'browser.*,script.failed'"),
    )
    .action(act(create));
  group
    .command('update <webhook-id>')
    .description('change where it goes, what is sent, or whether')
    .option('--url <url>', 'another address')
    .option('--event <type>', 'which, instead of those before; all: every one', several)
    .option('--description <text>', 'what it is for')
    .addOption(new Option('--status <status>').choices(['enabled', 'disabled']))
    .addHelpText('after', examples('browserd webhooks update webhook_… --status disabled'))
    .action(act(update));
  group
    .command('redeliver <webhook-id> <delivery-id>')
    .description('send a delivery once more')
    .addHelpText('after', examples('browserd webhooks redeliver webhook_… delivery_…'))
    .action(
      act(async ({ client, out, signal }: Call, id: string, deliveryId: string) => {
        const delivery = await client.webhooks.redeliver(id, deliveryId, { signal });
        out.done(delivery, delivery.id, `${delivery.id} is ${delivery.state}`);
      }),
    );
  group
    .command('delete <webhook-id>')
    .alias('rm')
    .description('stop telling an address')
    .addHelpText('after', examples('browserd webhooks delete webhook_…'))
    .action(
      act(async ({ client, out, signal }: Call, id: string) =>
        out.done(await client.webhooks.delete(id, { signal }), id, `${id} is deleted`),
      ),
    );
  listOptions(group.command('deliveries <webhook-id>').description('what was sent, and how it went'))
    .addHelpText(
      'after',
      examples(
        'browserd webhooks deliveries webhook_…',
        'browserd webhooks deliveries webhook_… --limit all --json',
      ),
    )
    .action(
      act(async (call: Call<ListOptions>, id: string) => {
        const listing = call.client.webhooks.deliveries(
          id,
          { limit: pageSize(call) },
          { signal: call.signal },
        );
        call.out.list(await firstOf(call, listing), deliveryColumns, 'No deliveries.');
      }),
    );
  group
    .command('test <webhook-id>')
    .description('send a message that says nothing, to try the address')
    .addHelpText('after', examples('browserd webhooks test webhook_…'))
    .action(
      act(async ({ client, out, signal }: Call, id: string) => {
        const delivery = await client.webhooks.test(id, { signal });
        out.done(delivery, delivery.id, `${delivery.id} is ${delivery.state}`);
      }),
    );
}

async function create(
  { client, out, options, signal }: Call<CreateWebhookOptions>,
  url: string,
): Promise<void> {
  const { event, description } = options;
  const secret = options.secret === '-' ? (await readStdin()).trim() : options.secret;
  const body = { url, description, secret, events: (event ?? []) as api.CreateWebhook['events'] };
  const made = await client.webhooks.create(body, { signal });
  if (out.quiet && !out.json) return out.lines([made.id]);
  out.one(made, [
    ['id', made.id],
    ['url', made.url],
    ['events', made.events.join(', ') || 'all'],
    ['secret', made.secret],
  ]);
  out.note('The secret is shown this once; your server verifies deliveries with it.');
}

interface UpdateWebhookOptions {
  url?: string;
  event?: string[];
  description?: string;
  status?: 'enabled' | 'disabled';
}

async function update(
  { client, out, options, signal }: Call<UpdateWebhookOptions>,
  id: string,
): Promise<void> {
  const { url, event, description, status } = options;
  const events = event?.includes('all') ? [] : (event as api.PatchWebhook['events']);
  const now = await client.webhooks.update(id, withoutGaps({ url, events, description, status }), { signal });
  out.one(now, [
    ['id', now.id],
    ['url', now.url],
    ['events', now.events.join(', ') || 'all'],
    ['status', now.status],
  ]);
}

const columns = [
  { title: 'ID', value: ({ id }: api.Webhook) => id },
  { title: 'STATUS', value: ({ status }: api.Webhook) => status },
  { title: 'URL', value: ({ url }: api.Webhook) => url, flexible: true },
  { title: 'EVENTS', value: ({ events }: api.Webhook) => events.join(', ') || 'all', flexible: true },
  { title: 'FAILING', value: ({ failingSince }: api.Webhook) => ago(failingSince) ?? 'no' },
];

const deliveryColumns = [
  { title: 'ID', value: ({ id }: api.Delivery) => id },
  { title: 'EVENT', value: ({ eventType }: api.Delivery) => eventType },
  { title: 'STATE', value: ({ state }: api.Delivery) => state },
  { title: 'ATTEMPTS', value: ({ attempts }: api.Delivery) => attempts.length, right: true },
  {
    title: 'LAST ANSWER',
    value: ({ attempts }: api.Delivery) => attempts.at(-1)?.statusCode ?? attempts.at(-1)?.error,
    flexible: true,
  },
  { title: 'CREATED', value: ({ createdAt }: api.Delivery) => ago(createdAt) },
];
