/** `nodes`: the machines of the service, for its operator. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { api, Browserd } from '@browserd/sdk';
import type { Command } from 'commander';
import { act, type Call, firstOf, type ListOptions, listOptions, pageSize } from '../call/call.ts';
import { examples } from '../options/options.ts';
import { ago, span } from '../output/output.ts';

interface DrainOptions {
  wait?: boolean;
}

export function addNodes(program: Command): void {
  const nodes = program
    .command('nodes')
    .description('the machines of the service; needs an admin key of the project default')
    .addHelpText('after', examples('browserd nodes list', 'browserd nodes drain NODE --wait'));
  listOptions(nodes.command('list').alias('ls').description('nodes, also those that are gone'))
    .addHelpText(
      'after',
      examples(
        'browserd nodes list',
        'browserd nodes list --json | jq -r ".[] | select(.state == \\"up\\").id"',
      ),
    )
    .action(
      act(async (call: Call<ListOptions>) => {
        const listing = call.client.nodes.list({ signal: call.signal, limit: pageSize(call) });
        call.out.list(await firstOf(call, listing), columns, 'No nodes.');
      }),
    );
  nodes
    .command('drain <node-id>')
    .description('hand its browsers over to other nodes, and end it')
    .option('--wait', 'until it is gone')
    .addHelpText('after', examples('browserd nodes drain node_01ja9q4m8h2f7t3k5w6x8y0z1a --wait'))
    .action(
      act(async ({ client, out, signal, options }: Call<DrainOptions>, id: string) => {
        const told = await client.nodes.drain(id, { signal });
        if (!options.wait) return out.done(told, told.id, `${told.id} is draining`);
        const gone = await untilGone(client, told, signal);
        out.done(gone, gone.id, `${gone.id} is gone`);
      }),
    );
}

const lookEveryMs = 1000;

/** Gone is this run of the node: one that was started again under the same id is another. */
async function untilGone(client: Browserd, told: api.Node, signal: AbortSignal): Promise<api.Node> {
  for (let node = told; ; node = await client.nodes.get(told.id, { signal })) {
    if (node.state === 'gone' || node.startedAt !== told.startedAt)
      return { ...told, ...node, state: 'gone' };
    await sleep(lookEveryMs, undefined, { signal });
  }
}

const columns = [
  { title: 'ID', value: ({ id, answering }: api.Node) => (answering ? `${id} *` : id) },
  { title: 'STATE', value: ({ state }: api.Node) => state },
  { title: 'BROWSERS', value: ({ browsers }: api.Node) => `${browsers.used} of ${browsers.limit}` },
  { title: 'WARM', value: ({ browsers }: api.Node) => String(browsers.warm) },
  { title: 'VERSION', value: ({ version }: api.Node) => version },
  { title: 'ADDRESS', value: ({ address }: api.Node) => address ?? 'alone', flexible: true },
  { title: 'ZONE', value: ({ zone }: api.Node) => zone },
  { title: 'SILENT', value: ({ silentMs }: api.Node) => span(silentMs) },
  { title: 'STARTED', value: ({ startedAt }: api.Node) => ago(startedAt) },
];
