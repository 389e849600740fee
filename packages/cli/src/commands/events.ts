/** `events`: the past as a table, or the present line by line. */
import type { api } from '@browserd/sdk';
import type { Command } from 'commander';
import {
  act,
  type Call,
  firstOf,
  type ListOptions,
  listOptions,
  pageSize,
  whichBrowser,
} from '../call/call.ts';
import { examples, several } from '../options/options.ts';
import { eventLine, printableJson } from '../output/output.ts';

interface EventsOptions extends ListOptions {
  browser?: string;
  type?: string[];
  follow?: boolean;
  since?: string;
}

export function addEvents(program: Command): void {
  listOptions(program.command('events').description('what happened, the newest last; or live'))
    .option('-b, --browser <browser>', 'of one browser, instead of the whole project')
    .option('--type <type>', 'only these, such as browser.*,download.completed; may be repeated', several)
    .option('-f, --follow', 'go on as they happen; with --json one a line')
    .option('--since <event>', 'after this event (id or seq); 0 is everything that is kept')
    .addHelpText(
      'after',
      examples(
        'browserd events --browser shop',
        'browserd events --follow --type "browser.*,script.failed"',
        'browserd events --follow --json | jq .type',
      ),
    )
    .action(
      act(async (call: Call<EventsOptions>) => {
        const { options, client } = call;
        const events =
          options.browser === undefined ? client.events : (await whichBrowser(call, options.browser)).events;
        const type = options.type as api.EventPattern[] | undefined;
        if (options.follow)
          return follow(call, events.follow({ type, lastEventId: options.since, signal: call.signal }));
        return list(call, events, type);
      }),
    );
}

async function list(
  call: Call<EventsOptions>,
  events: Call['client']['events'],
  type: api.EventPattern[] | undefined,
): Promise<void> {
  const { since: lastEventId } = call.options;
  const order = lastEventId === undefined ? 'desc' : 'asc';
  const filter = { type, order, lastEventId, limit: pageSize(call) } as const;
  const found = await firstOf(call, events.list(filter, { signal: call.signal }));
  call.out.list(order === 'asc' ? found : found.reverse(), columns, 'No events.');
}

const aboutOf = (event: api.Event): string => eventLine(event).slice(event.type.length).trim();

const columns = [
  { title: 'TIME', value: ({ at }: api.Event) => at },
  { title: 'TYPE', value: ({ type }: api.Event) => type },
  { title: 'BROWSER', value: ({ browserId }: api.Event) => browserId },
  { title: 'WHAT', value: aboutOf, flexible: true },
];

async function follow({ out }: Call, events: AsyncIterable<api.Event>): Promise<void> {
  for await (const event of events)
    if (out.json) out.lines([printableJson(event)]);
    else out.lines([`${event.at}  ${event.browserId}  ${eventLine(event)}`]);
}
