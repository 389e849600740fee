/** `network` and `har`: what the pages of a browser asked of the network, as a table, as it happens, or as a file. */
import { setTimeout as wait } from 'node:timers/promises';
import type { api, Browser } from '@browserd/sdk';
import { type Command, Option } from 'commander';
import {
  act,
  type Call,
  firstOf,
  type ListOptions,
  listOptions,
  pageSize,
  whichBrowser,
} from '../call/call.ts';
import { examples, several, withoutGaps } from '../options/options.ts';
import { oneLine, printableJson, size } from '../output/output.ts';
import { refuseTerminal, reportSaved, type SaveOptions, safeName, save, takesOutput } from '../save/save.ts';

interface Filters {
  failed?: boolean;
  type?: string[];
  status?: string;
  host?: string;
  tab?: string;
}

const pollMs = 1000;
/** Seen ones are remembered, so that none is printed twice. */
const mostRemembered = 5000;

export function addNetwork(program: Command): void {
  const group = program
    .command('network')
    .description('requests of the pages of a browser: what was asked, answered, refused')
    .addHelpText(
      'after',
      examples('browserd network list shop --failed', 'browserd network tail shop --failed'),
    );
  addList(group);
  addTail(group);
  addShow(group);
}

const takesFilters = (command: Command): Command =>
  command
    .option('--failed', 'only those that failed, or were answered with 400 or above')
    .option('--type <type>', 'only these, such as document,fetch,script; may be repeated', several)
    .option('--status <status>', 'such as 404 or 5xx')
    .option('--host <host>', 'of the address, or above it')
    .option('--tab <tab>', 'of one tab');

const filterOf = ({ failed, type, status, host, tab: tabId }: Filters) => {
  const types = type as api.NetworkRequest['type'][] | undefined;
  return withoutGaps({ failed, type: types, status, host, tabId });
};

function addList(group: Command): void {
  takesFilters(
    listOptions(
      group
        .command('list <browser>')
        .description('the last requests, the newest last')
        .addHelpText('after', examples('browserd network list shop --failed --type document,fetch')),
    ),
  ).action(
    act(async (call: Call<Filters & ListOptions>, name: string) => {
      const browser = await whichBrowser(call, name);
      const filter = { ...filterOf(call.options), limit: pageSize(call) };
      const found = await firstOf(call, browser.network.list(filter, { signal: call.signal }));
      call.out.list(found.reverse(), columns, 'No requests.');
    }),
  );
}

function addTail(group: Command): void {
  takesFilters(
    group
      .command('tail <browser>')
      .description('requests as they end, until Ctrl-C; with --json one a line')
      .addHelpText('after', examples('browserd network tail shop --failed')),
  ).action(
    act(async (call: Call<Filters>, name: string) => {
      const browser = await whichBrowser(call, name);
      for await (const request of endedFromNow(call, browser))
        call.out.lines([call.out.json ? printableJson(request) : lineOf(request)]);
    }),
  );
}

/** Each request once, when it has ended. */
async function* endedFromNow(call: Call<Filters>, browser: Browser): AsyncGenerator<api.NetworkRequest> {
  const { signal } = call;
  const told = new Set<string>();
  const filter = filterOf(call.options);
  const last = () => browser.network.list({ ...filter, limit: 100 }, { signal }).all(1000);
  for (const { id, state } of await last()) if (state !== 'pending') told.add(id);
  for (;;) {
    await wait(pollMs, undefined, { signal });
    for (const request of (await last()).reverse()) {
      if (request.state === 'pending' || told.has(request.id)) continue;
      told.add(request.id);
      yield request;
    }
    for (const id of told) {
      if (told.size <= mostRemembered) break;
      told.delete(id);
    }
  }
}

function addShow(group: Command): void {
  group
    .command('show <browser> <request>')
    .description('one request with its headers; credentials are hidden')
    .addHelpText('after', examples('browserd network show shop request_…'))
    .option('--reveal', 'show them all the same; needs an admin key, and an event says so')
    .action(
      act(async (call: Call<{ reveal?: boolean }>, name: string, requestId: string) => {
        const browser = await whichBrowser(call, name);
        const { reveal } = call.options;
        const request = await browser.network.get(requestId, { reveal, signal: call.signal });
        call.out.one(request, [
          ['id', request.id],
          ['request', `${request.method} ${request.url}`],
          ['answer', outcomeOf(request)],
          ['type', request.type],
          ['rule', request.rule],
          ['started', request.startedAt],
          ['took', request.durationMs === undefined ? undefined : `${request.durationMs} ms`],
          ['received', size(request.wireBytes)],
          ['dialled', request.remoteAddress],
          ...request.requestHeaders.map((each): [string, string] => [`> ${each.name}`, each.value]),
          ...request.responseHeaders.map((each): [string, string] => [`< ${each.name}`, each.value]),
        ]);
      }),
    );
}

const outcomeOf = ({ status, failure, rule, state }: api.NetworkRequest): string => {
  if (rule) return `refused (${rule})`;
  if (failure) return failure.error.replace('net::', '');
  return status === undefined ? state : String(status);
};

const lineOf = (request: api.NetworkRequest): string =>
  oneLine(
    `${request.startedAt}  ${outcomeOf(request)}  ${request.method} ${request.url.slice(0, 500)}  ${request.durationMs ?? 0} ms`,
  );

const columns = [
  { title: 'ID', value: ({ id }: api.NetworkRequest) => id },
  { title: 'ANSWER', value: outcomeOf },
  { title: 'TYPE', value: ({ type }: api.NetworkRequest) => type },
  { title: 'METHOD', value: ({ method }: api.NetworkRequest) => method },
  { title: 'URL', value: ({ url }: api.NetworkRequest) => url, flexible: true },
  { title: 'SIZE', value: ({ wireBytes }: api.NetworkRequest) => size(wireBytes), right: true },
  {
    title: 'MS',
    value: ({ durationMs }: api.NetworkRequest) =>
      durationMs === undefined ? undefined : Math.round(durationMs),
    right: true,
  },
];

interface HarOptions extends SaveOptions {
  tab?: string;
  bodies?: api.CreateHar['bodies'];
  reveal?: boolean;
}

export function addHar(program: Command): void {
  takesOutput(
    program.command('har <browser>').description('its requests as a HAR file, for DevTools and others'),
    'stdout',
  )
    .option('--tab <tab>', 'of one tab')
    .addOption(
      new Option('--bodies <which>', 'with the bodies that Chromium still has').choices([
        'none',
        'text',
        'all',
      ]),
    )
    .option('--reveal', 'with credentials; needs an admin key, and an event says so')
    .addHelpText(
      'after',
      examples('browserd har shop -o shop.har', 'browserd har shop --bodies text > shop.har'),
    )
    .action(
      act(async (call: Call<HarOptions>, name: string) => {
        const { output = '-', tab: tabId, bodies, reveal } = call.options;
        refuseTerminal(call, output, 'shop.har');
        const browser = await whichBrowser(call, name);
        const asked = withoutGaps({ tabId, bodies, reveal });
        const content = await browser.network.har({ ...asked, signal: call.signal });
        const path = await save(call, content, { to: output, name: safeName('network.har', 'network.har') });
        reportSaved(call, path, content);
      }),
    );
}
