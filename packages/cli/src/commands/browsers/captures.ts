/** `browsers screenshot`, `pdf` and `scrape`: what a tab of a living browser shows. */
import type { api, Browser, Content } from '@browserd/sdk';
import { type Command, Option } from 'commander';
import { act, type Call, whichBrowser } from '../../call/call.ts';
import {
  examples,
  type ReadyOptions,
  readyFrom,
  takesReady,
  waitForOption,
  wholeNumber,
  withoutGaps,
} from '../../options/options.ts';
import {
  pictureFormat,
  refuseTerminal,
  reportSaved,
  type SaveOptions,
  safeName,
  save,
  takesOutput,
} from '../../save/save.ts';

interface TabOptions {
  tab?: string;
}

interface CaptureOptions extends SaveOptions, TabOptions, ReadyOptions {
  waitFor?: string | number;
}

type Take = (browser: Browser) => Promise<Content>;

async function kept(call: Call<SaveOptions>, name: string, ending: string, take: Take): Promise<void> {
  const { output = '-' } = call.options;
  refuseTerminal(call, output, `page.${ending}`);
  const content = await take(await whichBrowser(call, name));
  const path = await save(call, content, { to: output, name: safeName(`page.${ending}`, 'page') });
  reportSaved(call, path, content);
}

interface ScreenshotOptions extends CaptureOptions {
  format?: 'png' | 'jpeg' | 'webp';
  fullPage?: boolean;
  selector?: string;
}

export function addBrowserScreenshot(group: Command): void {
  takesReady(takesOutput(group.command('screenshot <browser>').description('a picture of a tab'), 'stdout'))
    .option('--tab <tab>', 'this one instead of the one in front')
    .addOption(waitForOption())
    .addOption(
      new Option('--format <format>', 'by the name of the file unless given').choices([
        'png',
        'jpeg',
        'webp',
      ]),
    )
    .option('--full-page', 'all of the page, not only what fits the viewport')
    .option('--selector <css>', 'only this element')
    .addHelpText('after', examples('browserd browsers screenshot shop -o shop.png --full-page'))
    .action(
      act((call: Call<ScreenshotOptions>, name: string) => {
        const { format = pictureFormat(call.options.output), ...options } = call.options;
        const { tab: tabId, waitFor, fullPage, selector } = options;
        const ready = readyFrom(call.options);
        const asked = withoutGaps({ tabId, waitFor, format, fullPage, selector, ...ready });
        return kept(call, name, format ?? 'png', (browser) =>
          browser.screenshot({ ...asked, signal: call.signal }),
        );
      }),
    );
}

interface PaperOptions {
  landscape?: boolean;
  singlePage?: boolean;
}

export function addBrowserPdf(group: Command): void {
  takesReady(takesOutput(group.command('pdf <browser>').description('a tab as a PDF'), 'stdout'))
    .option('--tab <tab>', 'this one instead of the one in front')
    .addOption(waitForOption())
    .option('--landscape', 'wider than high')
    .option('--single-page', 'all on one sheet, as long as the page')
    .addHelpText('after', examples('browserd browsers pdf shop -o shop.pdf'))
    .action(
      act((call: Call<CaptureOptions & PaperOptions>, name: string) => {
        const { tab: tabId, waitFor, landscape, singlePage } = call.options;
        const asked = withoutGaps({ tabId, waitFor, landscape, singlePage, ...readyFrom(call.options) });
        return kept(call, name, 'pdf', (browser) => browser.pdf({ ...asked, signal: call.signal }));
      }),
    );
}

interface ScrapeOptions extends TabOptions {
  format?: api.ScrapeTab['format'];
  wholePage?: boolean;
  selector?: string;
  maxChars?: number;
}

export function addBrowserScrape(group: Command): void {
  group
    .command('scrape <browser>')
    .description('the text of a tab')
    .option('--tab <tab>', 'this one instead of the one in front')
    .addOption(
      new Option('--format <format>', 'markdown unless given').choices(['markdown', 'html', 'text', 'json']),
    )
    .option('--whole-page', 'with menus, banners and side bars')
    .option('--selector <css>', 'only what matches')
    .option('--max-chars <count>', '20000 unless given', wholeNumber)
    .addHelpText('after', examples('browserd browsers scrape shop --format text'))
    .action(
      act(async (call: Call<ScrapeOptions>, name: string) => {
        const browser = await whichBrowser(call, name);
        const { tab: tabId, format, wholePage, selector, maxChars } = call.options;
        const mainContent = wholePage ? false : undefined;
        const asked = withoutGaps({ tabId, format, mainContent, selector, maxChars });
        const found = await browser.scrape({ ...asked, signal: call.signal });
        if (call.out.json) call.out.document(found);
        else
          call.out.text(
            typeof found.content === 'string' ? found.content : JSON.stringify(found.content, null, 2),
          );
        if (found.truncated)
          call.out.note(`There is more: ${found.chars} characters in all. Raise --max-chars.`);
      }),
    );
}
