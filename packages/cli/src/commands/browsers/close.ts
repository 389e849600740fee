/** `browsers close`: some browsers, or all after a question. */
import { createInterface } from 'node:readline/promises';
import type { api, Browser } from '@browserd/sdk';
import type { Command } from 'commander';
import { act, type Call, living, oneByOne, whichBrowser } from '../../call/call.ts';
import { exitCodes, Failure, wrongUsage } from '../../failure.ts';
import { examples } from '../../options/options.ts';
import { size } from '../../output/output.ts';

interface CloseOptions {
  all?: boolean;
  yes?: boolean;
}

export function addClose(browsers: Command): void {
  browsers
    .command('close [browsers...]')
    .alias('rm')
    .description('end browsers for good; their files, downloads and recordings are kept for a while')
    .option('--all', 'every browser of the project that is not closed')
    .option('-y, --yes', 'do not ask before closing all')
    .addHelpText('after', examples('browserd browsers close shop', 'browserd browsers close --all --yes'))
    .action(act(closeBrowsers));
}

async function closeBrowsers(call: Call<CloseOptions>, names: string[]): Promise<void> {
  const { options, out, signal } = call;
  if (Boolean(options.all) === names.length > 0)
    throw wrongUsage('Name the browsers to close, or say --all.');
  // All names are looked up before the first browser is closed: a wrong name closes nothing.
  const found = options.all
    ? await everyBrowser(call)
    : await Promise.all(names.map((name) => whichBrowser(call, name)));
  const wanted = [...new Map(found.map((browser) => [browser.id, browser])).values()];
  if (options.all && wanted.length > 0 && !options.yes) await confirm(call, wanted.length);
  if (wanted.length === 0) out.note('There is no browser to close.');
  using progress = out.progress();
  const close = (browser: Browser, before: number): Promise<api.ClosedBrowser> => {
    progress.say(`${before} of ${wanted.length} closed`);
    return browser.close({ signal });
  };
  await oneByOne(out, wanted, close, closedLine);
}

const closedLine = ({ id, receipt }: api.ClosedBrowser): { id: string; words: string } => ({
  id,
  words: `${id} is closed: ${receipt.processesEnded} processes ended, ${size(receipt.bytesFreed)} freed`,
});

const everyBrowser = ({ client, signal }: Call): Promise<Browser[]> =>
  client.browsers.list({ status: living, limit: 100 }, { signal }).all();

async function confirm({ out, signal }: Call, count: number): Promise<void> {
  if (!process.stdin.isTTY || out.json)
    throw wrongUsage(`${count} browsers would be closed. Say --yes to close them without being asked.`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines
    .question(`Close ${count} browsers, with whoever works in them? [y/N] `, { signal })
    .finally(() => lines.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('Nothing was closed.', exitCodes.refused);
}
