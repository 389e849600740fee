/** `browsers`: list, look at, stop and resume; what has more options is in a file of its own. */
import type { api, Browser } from '@browserd/sdk';
import { type Command, Option } from 'commander';
import {
  act,
  type Call,
  firstOf,
  type ListOptions,
  listOptions,
  living,
  pageSize,
  whichBrowser,
} from '../../call/call.ts';
import { examples, pair, several, suggest } from '../../options/options.ts';
import { ago, ahead, size, span } from '../../output/output.ts';
import { addBrowserPdf, addBrowserScrape, addBrowserScreenshot } from './captures.ts';
import { addClose } from './close.ts';
import { addCreate } from './create.ts';
import { addOpen } from './open.ts';
import { addUpdate } from './update.ts';

export { type CreateOptions, createSettings, takesCreateOptions } from './create.ts';

export function addBrowsers(program: Command): void {
  const browsers = program
    .command('browsers')
    .alias('b')
    .description('create, look at, stop, resume and close browsers')
    .addHelpText(
      'after',
      `\nA browser is named by its id, by the beginning or end of it, or by its name.${examples(
        'browserd browsers create https://example.com --name shop',
        'browserd browsers list',
        'browserd browsers close shop',
      )}`,
    );
  addCreate(browsers);
  addList(browsers);
  browsers
    .command('get <browser>')
    .description('everything known about a browser')
    .addHelpText(
      'after',
      examples('browserd browsers get shop', 'browserd browsers get shop --json | jq .policy'),
    )
    .action(
      act(async (call: Call, name: string) =>
        showBrowser(call, await (await whichBrowser(call, name)).refresh(call)),
      ),
    );
  addStatus(browsers);
  addUpdate(browsers);
  addBrowserScreenshot(browsers);
  addBrowserPdf(browsers);
  addBrowserScrape(browsers);
  browsers
    .command('stop <browser>')
    .description('end its process and keep its state: cookies, storage, tabs')
    .addHelpText('after', examples('browserd browsers stop shop'))
    .action(changeStatus((browser, call) => browser.stop(call)));
  browsers
    .command('resume <browser>')
    .description('bring a stopped browser back')
    .addHelpText('after', examples('browserd browsers resume shop'))
    .action(changeStatus((browser, call) => browser.resume(call)));
  addClose(browsers);
  addOpen(browsers);
}

const changeStatus = (change: (browser: Browser, call: Call) => Promise<api.Browser>) =>
  act(async (call: Call, name: string) => {
    const record = await change(await whichBrowser(call, name), call);
    call.out.done(record, record.id, `${record.id} is ${record.status}`);
  });

interface BrowserListOptions extends ListOptions {
  status?: string[];
  metadata?: Record<string, string>;
  search?: string;
  all?: boolean;
}

function addList(browsers: Command): void {
  listOptions(browsers.command('list').alias('ls').description('browsers, newest first'))
    .addOption(
      suggest(
        new Option('--status <status>', 'only these, such as ready,stopped; may be repeated').argParser(
          several,
        ),
        [...living, 'closed'],
      ),
    )
    .option('--metadata <name=value>', 'only those that carry it; may be repeated', pair)
    .option('--search <words>', 'only those with these words in name, id or metadata')
    .option('--all', 'closed ones too')
    .addHelpText(
      'after',
      examples(
        'browserd browsers list',
        'browserd browsers list --status stopped --json',
        'browserd browsers list --search "nightly checkout"',
        'browserd browsers list --quiet   # ids only',
      ),
    )
    .action(
      act(async (call: Call<BrowserListOptions>) => {
        const { client, options, out, signal } = call;
        const status = options.status ?? (options.all ? undefined : living);
        const filter = {
          status: status as api.BrowserStatus[],
          metadata: options.metadata,
          search: options.search,
          limit: pageSize(call),
        };
        const found = await firstOf(call, client.browsers.list(filter, { signal }));
        const records = found.map(({ record }) => record);
        if (out.quiet && !out.json) return out.lines(records.map(({ id }) => id));
        out.list(records, columns, 'No browsers. Make one with: browserd browsers create');
      }),
    );
}

const columns = [
  { title: 'ID', value: ({ id }: api.Browser) => id },
  { title: 'NAME', value: ({ name }: api.Browser) => name, flexible: true },
  { title: 'STATUS', value: ({ status }: api.Browser) => status },
  { title: 'TABS', value: ({ tabs }: api.Browser) => tabs, right: true },
  { title: 'ENGINE', value: ({ engine }: api.Browser) => engine },
  { title: 'CREATED', value: ({ createdAt }: api.Browser) => ago(createdAt) },
  {
    title: 'EXPIRES',
    value: ({ expiresAt, status }: api.Browser) => (status === 'closed' ? '' : ahead(expiresAt)),
  },
];

function addStatus(browsers: Command): void {
  browsers
    .command('status <browser>')
    .description('its tabs and cookies, without disturbing the page')
    .addHelpText(
      'after',
      examples('browserd browsers status shop', 'browserd browsers status shop --json | jq .activeTab.url'),
    )
    .action(
      act(async (call: Call, name: string) => {
        const status = await (await whichBrowser(call, name)).status(call);
        if (call.out.json) return call.out.document(status);
        const { activeTab, tabs, cookieCount, cookieDomains, lastActionAt } = status;
        const domains = cookieDomains.length > 0 ? ` of ${cookieDomains.join(', ')}` : '';
        call.out.one(status, [
          ['id', status.browserId],
          ['status', status.status],
          ['last action', ago(lastActionAt)],
          ['cookies', `${cookieCount}${domains}`],
        ]);
        call.out.list(
          tabs,
          [
            { title: '', value: ({ tabId }) => (tabId === activeTab?.tabId ? '*' : ' ') },
            { title: 'TAB', value: ({ tabId }) => tabId },
            { title: 'TITLE', value: ({ title }) => title, flexible: true },
            { title: 'URL', value: ({ url }) => url, flexible: true },
          ],
          'No tabs.',
        );
      }),
    );
}

const startPageLine = ({ startPage }: api.Browser): string | undefined =>
  startPage?.error ? `failed (${startPage.error.code}): ${startPage.error.message}` : startPage?.state;

function showBrowser({ out }: Call, record: api.Browser): void {
  const { viewport, policy, proxy, traffic, queue } = record;
  out.one(record, [
    ['id', record.id],
    ['name', record.name],
    ['status', record.statusReason ? `${record.status} (${record.statusReason})` : record.status],
    ['queue', queue && `place ${queue.position}, about ${span(queue.expectedWaitMs)}`],
    ['engine', record.engine],
    ['viewport', `${viewport.width}x${viewport.height}@${viewport.deviceScaleFactor}`],
    ['locale', record.locale],
    ['timezone', record.timezone],
    ['user agent', record.userAgent],
    ['start', record.startUrl],
    ['start page', startPageLine(record)],
    ['proxy', proxy?.server],
    ['policy', Object.keys(policy).length > 0 ? JSON.stringify(policy) : undefined],
    [
      'metadata',
      Object.entries(record.metadata)
        .map(([key, value]) => `${key}=${value}`)
        .join(' '),
    ],
    ['recording', record.recording ? 'on' : 'off'],
    ['tabs', record.tabs],
    ['epoch', record.epoch],
    ['created', `${record.createdAt} (${ago(record.createdAt)})`],
    ['last action', ago(record.lastActionAt)],
    ['closed', record.closedAt && `${record.closedAt} (${ago(record.closedAt)})`],
    ['expires', record.closedAt ? undefined : `${record.expiresAt} (${ahead(record.expiresAt)})`],
    ['idle limit', record.idleTimeout === undefined ? undefined : span(record.idleTimeout)],
    [
      'traffic',
      traffic && `${size(traffic.bytesIn)} in, ${size(traffic.bytesOut)} out, ${traffic.refused} refused`,
    ],
  ]);
}
