/** `tabs`: the tabs of a browser, listed, opened, sent somewhere and closed. */
import type { api } from '@browserd/sdk';
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
import { examples, withoutGaps } from '../options/options.ts';

export function addTabs(program: Command): void {
  const group = program
    .command('tabs')
    .description('tabs of a browser: listed, opened, sent somewhere, closed')
    .addHelpText('after', examples('browserd tabs list shop', 'browserd tabs open shop https://example.com'));
  addList(group);
  addOpen(group);
  addGo(group);
  addSelect(group);
  addClose(group);
}

const show = (call: Call<unknown>, tab: api.BrowserTabDetail): void =>
  call.out.one(tab, [
    ['tab', tab.tabId],
    ['url', tab.url],
    ['title', tab.title],
    ['answer', tab.navigation?.statusCode ?? undefined],
    ['page', tab.crashed ? 'crashed' : tab.readyState],
    ['in front', tab.active ? 'yes' : 'no'],
  ]);

function addList(group: Command): void {
  listOptions(
    group
      .command('list <browser>')
      .description('its tabs, the oldest first')
      .addHelpText('after', examples('browserd tabs list shop')),
  ).action(
    act(async (call: Call<ListOptions>, name: string) => {
      const browser = await whichBrowser(call, name);
      const found = await firstOf(
        call,
        browser.tabs.list({ limit: pageSize(call) }, { signal: call.signal }),
      );
      call.out.list(found, columns, 'No tabs.');
    }),
  );
}

interface OpenOptions {
  behind?: boolean;
}

function addOpen(group: Command): void {
  group
    .command('open <browser> [url]')
    .description('open one, and wait until its page is there')
    .option('--behind', 'leave the tab in front where it is')
    .addHelpText('after', examples('browserd tabs open shop https://example.com --behind'))
    .action(
      act(async (call: Call<OpenOptions>, name: string, url: string | undefined) => {
        const browser = await whichBrowser(call, name);
        const asked = withoutGaps({ url, active: call.options.behind ? false : undefined });
        show(call, await browser.tabs.open(asked, { signal: call.signal }));
      }),
    );
}

interface GoOptions {
  go?: 'back' | 'forward' | 'reload' | 'stop';
}

function addGo(group: Command): void {
  group
    .command('go <browser> <tab> [url]')
    .description('send one to an address, or back, forward or again')
    .addOption(
      new Option('--go <where>', 'instead of an address').choices(['back', 'forward', 'reload', 'stop']),
    )
    .addHelpText(
      'after',
      examples('browserd tabs go shop 4F1C… https://example.com', 'browserd tabs go shop 4F1C… --go back'),
    )
    .action(
      act(async (call: Call<GoOptions>, name: string, tabId: string, url: string | undefined) => {
        const browser = await whichBrowser(call, name);
        const asked = withoutGaps({ url, go: call.options.go });
        show(call, await browser.tabs.change(tabId, { ...asked, signal: call.signal }));
      }),
    );
}

function addSelect(group: Command): void {
  group
    .command('select <browser> <tab>')
    .description('bring one to the front')
    .addHelpText('after', examples('browserd tabs select shop 4F1C…'))
    .action(
      act(async (call: Call<object>, name: string, tabId: string) => {
        const browser = await whichBrowser(call, name);
        show(call, await browser.tabs.change(tabId, { active: true, signal: call.signal }));
      }),
    );
}

function addClose(group: Command): void {
  group
    .command('close <browser> <tab>')
    .description('close one; the browser stays')
    .addHelpText('after', examples('browserd tabs close shop 4F1C…'))
    .action(
      act(async (call: Call<object>, name: string, tabId: string) => {
        const browser = await whichBrowser(call, name);
        const closed = await browser.tabs.close(tabId, { signal: call.signal });
        call.out.one(closed, [
          ['closed', closed.tabId],
          ['tabs left', closed.tabsLeft],
        ]);
      }),
    );
}

const columns = [
  { title: 'TAB', value: ({ tabId }: api.BrowserTab) => tabId },
  { title: 'FRONT', value: ({ active }: api.BrowserTab) => (active ? 'yes' : '') },
  { title: 'URL', value: ({ url }: api.BrowserTab) => url, flexible: true },
  { title: 'TITLE', value: ({ title }: api.BrowserTab) => title },
];
