/** `screenshot` and `pdf`: they differ in their request and in the ending of the file. */
import type { api, Content, QuickOptions } from '@browserd/sdk';
import { type Command, Option } from 'commander';
import { act, type Call } from '../../call/call.ts';
import {
  decimal,
  examples,
  type ReadyOptions,
  readyFrom,
  suggest,
  takesReady,
  wholeNumber,
  withoutGaps,
} from '../../options/options.ts';
import { pictureFormat, refuseTerminal, reportSaved, safeName, save } from '../../save/save.ts';
import { type CommonBody, type QuickFlags, quickBody, takesQuick, waitingFor } from './quick-options.ts';
import { printStored, storeFrom } from './stored.ts';

interface PictureKind {
  ending: string;
  own: object;
  take(body: CommonBody, options: QuickOptions): Promise<Content>;
  store(
    body: CommonBody & { store: { name?: string; ttlSeconds?: number } },
    options: QuickOptions,
  ): Promise<api.QuickStored>;
}

async function picture(call: Call<QuickFlags>, page: string, kind: PictureKind): Promise<void> {
  const { options, signal } = call;
  const store = storeFrom(options);
  const to = options.output ?? '-';
  if (!store) refuseTerminal(call, to, `page.${kind.ending}`);
  const body = { ...(await quickBody(call, page)), ...withoutGaps(kind.own) };
  const how = { signal, waitSeconds: options.wait };
  if (store) {
    printStored(call, await waitingFor(call, kind.store({ ...body, store }, how)));
    return;
  }
  const content = await waitingFor(call, kind.take(body, how));
  const host = page === '-' ? 'page' : new URL(body.url ?? '').hostname;
  const path = await save(call, content, {
    to,
    name: safeName(`${host}.${kind.ending}`, `page.${kind.ending}`),
  });
  reportSaved(call, path, content);
}

interface ScreenshotFlags extends QuickFlags, ReadyOptions {
  format?: api.QuickScreenshot['format'];
  quality?: number;
  fullPage?: boolean;
  selector?: string;
  omitBackground?: boolean;
}

export function addScreenshot(program: Command): void {
  takesReady(
    takesQuick(
      program.command('screenshot <url>').description('a picture of a page; - for HTML on stdin'),
      'stdout',
    ),
  )
    .addOption(
      new Option('--format <format>', 'by the name of the file unless given').choices([
        'png',
        'jpeg',
        'webp',
      ]),
    )
    .option('--quality <percent>', 'of jpeg and webp', wholeNumber)
    .option('--full-page', 'all of the page, not only what fits the viewport')
    .option('--selector <css>', 'only this element')
    .option('--omit-background', 'transparent where the page paints nothing')
    .addHelpText('after', examplesOf('screenshot', 'page.png', '--full-page'))
    .action(
      act((call: Call<ScreenshotFlags>, page: string) => {
        const {
          format = pictureFormat(call.options.output),
          quality,
          fullPage,
          selector,
          omitBackground,
        } = call.options;
        const own = { format, quality, fullPage, selector, omitBackground, ...readyFrom(call.options) };
        return picture(call, page, {
          ending: format ?? 'png',
          own,
          take: (body, options) => call.client.screenshot(body, options),
          store: (body, options) => call.client.screenshot(body, options),
        });
      }),
    );
}

interface PdfFlags extends QuickFlags, ReadyOptions {
  paper?: api.QuickPdf['format'];
  landscape?: boolean;
  scale?: number;
  pages?: string;
  background?: boolean;
  singlePage?: boolean;
}

export function addPdf(program: Command): void {
  takesReady(
    takesQuick(program.command('pdf <url>').description('a page as a PDF; - for HTML on stdin'), 'stdout'),
  )
    .addOption(
      suggest(new Option('--paper <format>', 'a0 to a6, letter, legal, tabloid, ledger'), [
        ...[0, 1, 2, 3, 4, 5, 6].map((size) => `a${size}`),
        ...['letter', 'legal', 'tabloid', 'ledger'],
      ]),
    )
    .option('--landscape', 'wider than high')
    .option('--scale <factor>', '0.1 to 2', decimal)
    .option('--pages <ranges>', 'such as 1-3,5')
    .option('--single-page', 'all on one sheet, as long as the page')
    .option('--no-background', 'without colours and pictures behind the text')
    .addHelpText('after', examplesOf('pdf', 'page.pdf', '--paper a4'))
    .action(
      act((call: Call<PdfFlags>, page: string) => {
        const { paper: format, landscape, scale, pages: pageRanges, background, singlePage } = call.options;
        const printBackground = background ? undefined : false;
        const paper = { format, landscape, scale, pageRanges, printBackground, singlePage };
        const own = { ...paper, ...readyFrom(call.options) };
        return picture(call, page, {
          ending: 'pdf',
          own,
          take: (body, options) => call.client.pdf(body, options),
          store: (body, options) => call.client.pdf(body, options),
        });
      }),
    );
}

const examplesOf = (action: string, file: string, option: string): string =>
  examples(
    `browserd ${action} https://example.com -o ${file}`,
    `browserd ${action} https://example.com ${option} > ${file}`,
    `cat page.html | browserd ${action} - -o ${file}`,
    `browserd ${action} - --asset style.css --asset images/logo.png -o ${file} < index.html`,
    `browserd ${action} https://example.com --store ${file} --ttl 7d`,
  );
