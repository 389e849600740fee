/** `dialogs`: alerts, questions and prompts of a browser's pages, listed and answered. */
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
import { examples, withoutGaps } from '../options/options.ts';
import { ago } from '../output/output.ts';

export function addDialogs(program: Command): void {
  const group = program
    .command('dialogs')
    .description('alerts, questions and prompts of pages; for browsers with --dialogs manual')
    .addHelpText('after', examples('browserd dialogs list shop', 'browserd dialogs accept shop dialog_…'));
  listOptions(group.command('list <browser>').description('open ones, and the last that were'))
    .option('--open', 'only those that wait for an answer')
    .option('--tab <tab>', 'only those of this one')
    .addHelpText('after', examples('browserd dialogs list shop --open'))
    .action(
      act(async (call: Call<ListOptions & { open?: boolean; tab?: string }>, name: string) => {
        const browser = await whichBrowser(call, name);
        const { open, tab } = call.options;
        const only = withoutGaps({ tabId: tab, state: open ? ('open' as const) : undefined });
        const filter = { limit: pageSize(call), ...only };
        const listing = browser.dialogs.list(filter, { signal: call.signal });
        call.out.list(await firstOf(call, listing), columns, 'No dialogs.');
      }),
    );
  group
    .command('accept <browser> <dialog>')
    .description('say yes; a page that asks whether it may be left is left')
    .option('--text <text>', 'what a prompt is answered with; unless given, what it suggests')
    .addHelpText('after', examples('browserd dialogs accept shop dialog_… --text Ada'))
    .action(
      act(async (call: Call<{ text?: string }>, name: string, dialogId: string) => {
        const { dialogs } = await whichBrowser(call, name);
        done(call, await dialogs.accept(dialogId, call.options.text, { signal: call.signal }));
      }),
    );
  group
    .command('dismiss <browser> <dialog>')
    .description('say no, or close it')
    .addHelpText('after', examples('browserd dialogs dismiss shop dialog_…'))
    .action(
      act(async (call: Call, name: string, dialogId: string) => {
        const { dialogs } = await whichBrowser(call, name);
        done(call, await dialogs.dismiss(dialogId, { signal: call.signal }));
      }),
    );
}

const done = ({ out }: Call, dialog: api.Dialog): void =>
  out.done(dialog, dialog.id, `${dialog.id} is ${dialog.state}`);

const columns = [
  { title: 'ID', value: ({ id }: api.Dialog) => id },
  { title: 'STATE', value: ({ state }: api.Dialog) => state },
  { title: 'TYPE', value: ({ type }: api.Dialog) => type },
  { title: 'MESSAGE', value: ({ message }: api.Dialog) => message, flexible: true },
  { title: 'PAGE', value: ({ url }: api.Dialog) => url, flexible: true },
  { title: 'OPENED', value: ({ openedAt }: api.Dialog) => ago(openedAt) },
];
