import { text } from 'node:stream/consumers';
import type { api, Content, QuickOptions } from '@browserd/sdk';
import { type Command, Option } from 'commander';
import { type SettingsOptions, settingsFrom, takesSettings, withoutGaps } from '../browser-settings.ts';
import { act, type Call } from '../call.ts';
import { wrongUsage } from '../failure.ts';
import { examples } from '../help.ts';
import { unlessInterrupted } from '../interrupt.ts';
import { decimal, seconds, several, timeLimit, wholeNumber } from '../option-values.ts';
import { pictureFormat } from '../picture-format.ts';
import { refuseTerminal, type SaveOptions, safeName, save, takesPlace, tellSaved } from '../save.ts';

/** `scrape`, `screenshot` and `pdf`: one page, in a browser that is gone with the answer. */
export interface QuickFlags extends SettingsOptions, SaveOptions {
  waitFor?: string | number;
  timeout?: number;
  partial?: boolean;
  blockResources?: string[];
  solveCaptcha?: boolean;
  wait?: number;
}

export const takesQuick = (command: Command, otherwise: string): Command =>
  takesSettings(
    takesPlace(command, otherwise)
      .option(
        '--wait-for <what>',
        'load, domcontentloaded, networkidle, a CSS selector, or milliseconds',
        waitFor,
      )
      .option('--timeout <time>', 'for the page, 30s unless given, at most 120s', timeLimit)
      .option('--partial', 'when the time is up, take what is there')
      .option('--block-resources <kinds>', 'do not load image, font, media, stylesheet', several)
      .option('--solve-captcha', 'try to solve captchas; only where you may')
      .option('--wait <seconds>', 'wait so long for room when the service is full', seconds),
  );

const waitFor = (text: string): string | number => (/^\d+$/.test(text) ? Number(text) : text);

type CommonBody = Pick<
  api.QuickScrape,
  'url' | 'html' | 'waitFor' | 'timeoutMs' | 'partial' | 'blockResources' | 'solveCaptcha'
>;

export async function quickBody(call: Call<QuickFlags>, page: string): Promise<CommonBody> {
  const { waitFor, timeout, partial, blockResources, solveCaptcha } = call.options;
  const source =
    page === '-' ? { html: await unlessInterrupted(text(process.stdin)) } : { url: addressOf(page) };
  return {
    ...settingsFrom(call.options),
    ...source,
    ...withoutGaps({ waitFor, timeoutMs: timeout, partial, solveCaptcha }),
    ...(blockResources && { blockResources: blockResources as CommonBody['blockResources'] }),
  };
}

/** As people write it. */
function addressOf(page: string): string {
  if (URL.canParse(page) && /^[a-z][a-z+.-]*:\/\//i.test(page)) return page;
  const guessed = `https://${page}`;
  if (!/^[\w.-]+\.[a-z]{2,}([/:?#]|$)/i.test(page) || !URL.canParse(guessed))
    throw wrongUsage(
      `"${page}" is not an address. Expected one such as https://example.com, or - for HTML on stdin.`,
    );
  return guessed;
}

type TakePicture = (body: CommonBody, options: QuickOptions) => Promise<Content>;

/** `screenshot` and `pdf` differ in what they ask for and in what they are called. */
async function picture(
  call: Call<QuickFlags>,
  page: string,
  kind: { ending: string; own: object; take: TakePicture },
): Promise<void> {
  const { options, signal } = call;
  const to = options.output ?? '-';
  refuseTerminal(call, to, `page.${kind.ending}`);
  const body = { ...(await quickBody(call, page)), ...withoutGaps(kind.own) };
  const content = await waitingFor(call, kind.take(body, { signal, waitSeconds: options.wait }));
  const host = page === '-' ? 'page' : new URL(body.url ?? '').hostname;
  const path = await save(call, content, {
    to,
    name: safeName(`${host}.${kind.ending}`, `page.${kind.ending}`),
  });
  tellSaved(call, path, content);
}

export async function waitingFor<Value>({ out }: Call, work: Promise<Value>): Promise<Value> {
  using progress = out.progress();
  progress.say('waiting for the page …');
  return await work;
}

interface ScreenshotFlags extends QuickFlags {
  format?: api.QuickScreenshot['format'];
  quality?: number;
  fullPage?: boolean;
  selector?: string;
  omitBackground?: boolean;
}

export function addScreenshot(program: Command): void {
  takesQuick(
    program.command('screenshot <url>').description('a picture of a page; - for HTML on stdin'),
    'stdout',
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
        const own = { format, quality, fullPage, selector, omitBackground };
        const take: TakePicture = (body, options) => call.client.screenshot(body, options);
        return picture(call, page, { ending: format ?? 'png', own, take });
      }),
    );
}

interface PdfFlags extends QuickFlags {
  paper?: api.QuickPdf['format'];
  landscape?: boolean;
  scale?: number;
  pages?: string;
  background?: boolean;
}

export function addPdf(program: Command): void {
  takesQuick(program.command('pdf <url>').description('a page as a PDF; - for HTML on stdin'), 'stdout')
    .option('--paper <format>', 'a0 to a6, letter, legal, tabloid, ledger')
    .option('--landscape', 'wider than high')
    .option('--scale <factor>', '0.1 to 2', decimal)
    .option('--pages <ranges>', 'such as 1-3,5')
    .option('--no-background', 'without colours and pictures behind the text')
    .addHelpText('after', examplesOf('pdf', 'page.pdf', '--paper a4'))
    .action(
      act((call: Call<PdfFlags>, page: string) => {
        const { paper: format, landscape, scale, pages: pageRanges, background } = call.options;
        const own = { format, landscape, scale, pageRanges, printBackground: background ? undefined : false };
        const take: TakePicture = (body, options) => call.client.pdf(body, options);
        return picture(call, page, { ending: 'pdf', own, take });
      }),
    );
}

const examplesOf = (action: string, file: string, option: string): string =>
  examples(
    `browserd ${action} https://example.com -o ${file}`,
    `browserd ${action} https://example.com ${option} > ${file}`,
    `cat page.html | browserd ${action} - -o ${file}`,
  );
