/** `handoff`: requests a person, waits for the person to hand back, takes the browser back. */
import type { api } from '@browserd/sdk';
import type { Command } from 'commander';
import { act, type Call, whichBrowser } from '../call/call.ts';
import { examples, seconds, several, withoutGaps } from '../options/options.ts';
import { ago, ahead } from '../output/output.ts';

interface RequestOptions {
  message?: string;
  ttl?: number;
  tab?: string;
  embed?: string[];
  wait?: boolean;
}

export function addHandoff(program: Command): void {
  const group = program
    .command('handoff')
    .description('between scripts and a person')
    .addHelpText(
      'after',
      examples(
        'browserd handoff request shop -m "Please sign in, then hand back." --wait',
        'browserd handoff status shop',
      ),
    );
  group
    .command('request <browser>')
    .description('ask a person to take over; gives the address for one')
    .option('-m, --message <text>', 'what to do, shown to the person')
    .option('--ttl <time>', 'how long the address can be used, such as 1h', seconds)
    .option('--tab <tab>', 'give the person this tab only')
    .option('--embed <origin>', 'let pages of this origin show it in a frame; may be repeated', several)
    .option('--wait', 'until the person has handed back')
    .addHelpText(
      'after',
      examples('browserd handoff request shop -m "Please sign in, then hand back." --wait'),
    )
    .action(act(request));
  group
    .command('wait <browser>')
    .description('until scripts drive again')
    .addHelpText('after', examples('browserd handoff wait shop'))
    .action(act(async (call: Call, name: string) => printState(call, await finished(call, name))));
  group
    .command('status <browser>')
    .description('who drives')
    .addHelpText(
      'after',
      examples('browserd handoff status shop', 'browserd handoff status shop --json | jq -r .state'),
    )
    .action(
      act(async (call: Call, name: string) =>
        printState(call, await (await whichBrowser(call, name)).handoff.get(call)),
      ),
    );
  group
    .command('end <browser>')
    .description('take the browser back')
    .addHelpText('after', examples('browserd handoff end shop'))
    .action(
      act(async (call: Call, name: string) =>
        printState(call, await (await whichBrowser(call, name)).handoff.end(call)),
      ),
    );
}

async function request(call: Call<RequestOptions>, name: string): Promise<void> {
  const { options, out, signal } = call;
  const browser = await whichBrowser(call, name);
  const requested = await browser.handoff.request(
    withoutGaps({
      message: options.message,
      ttlSeconds: options.ttl,
      tabId: options.tab,
      frameAncestors: options.embed,
    }),
    { signal },
  );
  if (!options.wait) return printState(call, requested);
  // The address is needed now; the document of --json is the final state.
  if (out.json) out.failDocument(requested);
  else out.lines([requested.url ?? '']);
  printState(call, await finished(call, browser.id));
}

async function finished(call: Call, name: string): Promise<api.Handoff> {
  const browser = await whichBrowser(call, name);
  using progress = call.out.progress();
  progress.say('waiting for the person to hand back …');
  return await browser.handoff.finished({ signal: call.signal });
}

function printState({ out }: Call, state: api.Handoff): void {
  if (out.quiet && !out.json) out.lines([state.url ?? state.state]);
  else
    out.one(state, [
      ['drives', state.state],
      ['since', ago(state.since)],
      ['message', state.message],
      ['address', state.url],
      ['usable', ahead(state.expiresAt)],
    ]);
}
