/** `scrape`: the text of a page, or values by selectors. */
import { Readable } from 'node:stream';
import type { api } from '@browserd/sdk';
import { type Command, Option } from 'commander';
import { act, type Call } from '../../call/call.ts';
import { examples, jsonOrFile, several, suggest, wholeNumber, withoutGaps } from '../../options/options.ts';
import { size } from '../../output/output.ts';
import { safeName, saveBytes } from '../../save/save.ts';
import { type QuickFlags, quickBody, takesQuick, waitingFor } from './quick-options.ts';
import { printStored, storeFrom } from './stored.ts';

interface ScrapeFlags extends QuickFlags {
  format?: api.QuickScrape['format'];
  wholePage?: boolean;
  selector?: string;
  include?: string[];
  extract?: unknown;
  maxChars?: number;
  startFromChar?: number;
}

export function addScrape(program: Command): void {
  takesQuick(program.command('scrape <url>').description('the text of a page; - for HTML on stdin'), 'stdout')
    .addOption(
      new Option('--format <format>', 'markdown unless given').choices(['markdown', 'html', 'text', 'json']),
    )
    .option('--whole-page', 'with menus, banners and side bars')
    .option('--selector <css>', 'only what matches')
    .addOption(
      suggest(
        new Option(
          '--include <lists>',
          'links, headings, forms, images, metadata, tables; shown with --json',
        ).argParser(several),
        ['links', 'headings', 'forms', 'images', 'metadata', 'tables'],
      ),
    )
    .option(
      '--extract <json>',
      'values by selectors, or @FILE: {"price": {"selector": ".price"}}',
      jsonOrFile,
    )
    .option('--max-chars <count>', '20000 unless given', wholeNumber)
    .option('--start-from-char <count>', 'where the part before has ended', wholeNumber)
    .addHelpText(
      'after',
      examples(
        'browserd scrape https://example.com',
        'browserd scrape https://example.com --format text -o page.txt',
        'browserd scrape https://example.com --include links --json | jq .links',
        'browserd scrape https://example.com --extract \'{"title": {"selector": "h1"}}\'',
        'cat page.html | browserd scrape -',
        'browserd scrape https://example.com --store page.md',
      ),
    )
    .action(act(scrape));
}

async function scrape(call: Call<ScrapeFlags>, page: string): Promise<void> {
  const { client, options, out, signal } = call;
  const { format, selector, maxChars, startFromChar, wholePage, include, extract } = options;
  const store = storeFrom(options);
  const body = {
    ...(store && { store }),
    ...(await quickBody(call, page)),
    ...withoutGaps({ format, selector, maxChars, startFromChar, mainContent: wholePage ? false : undefined }),
    ...(include && { include: include as api.QuickScrape['include'] }),
    ...(extract !== undefined && { extract: extract as api.QuickScrape['extract'] }),
  };
  const found = await waitingFor(call, client.scrape(body, { signal, waitSeconds: options.wait }));
  if (store) {
    printStored(call, found);
    return;
  }
  const text = options.extract === undefined ? textOf(found.content) : JSON.stringify(found.data, null, 2);
  if (options.output !== undefined && options.output !== '-') {
    const written = Buffer.from(out.json ? JSON.stringify(found, null, 2) : text);
    const name = safeName(`${found.title}.${endings[format ?? 'markdown']}`, 'page');
    const path = await saveBytes(call, Readable.from([written]), written.length, {
      to: options.output,
      name,
    });
    out.done({ path, size: written.length }, path ?? '', `${path} (${size(written.length)})`);
  } else if (out.json) out.document(found);
  else out.text(text);
  if (found.truncated)
    out.note(
      `There is more: ${found.chars} characters in all. Go on with --start-from-char ${found.nextStart}.`,
    );
}

const endings = { markdown: 'md', html: 'html', text: 'txt', json: 'json' };

const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : JSON.stringify(content, null, 2);
