/** The options of `crawl`, `batch` and `map`, and the job that they describe. */
import type { api } from '@browserd/sdk';
import { type Command, Option } from 'commander';
import { wrongUsage } from '../../failure.ts';
import {
  duration,
  jsonOrFile,
  profileRef,
  type SettingsOptions,
  settingsFrom,
  takesSettings,
  wholeNumber,
  withoutGaps,
} from '../../options/options.ts';

/** A pattern may have commas, so each is an option of its own. */
const another = (text: string, before: string[] = []): string[] => [...before, text];

export interface RunFlags {
  concurrency?: number;
  retries?: number;
  name?: string;
  webhook?: string;
  detach?: boolean;
}

const takesRun = (command: Command): Command =>
  command
    .option('--concurrency <count>', 'pages at the same time, 4 unless given', wholeNumber)
    .option('--retries <count>', 'how often a page is tried again, 1 unless given', wholeNumber)
    .option('--name <text>', 'what to call the job')
    .option('--webhook <url>', 'is told when the job is over')
    .option('--detach', 'print the id of the job and leave it to the service');

const runFrom = ({ concurrency, retries, name, webhook }: RunFlags) =>
  withoutGaps({ concurrency, retries, name, webhook: webhook === undefined ? undefined : { url: webhook } });

export interface SiteFlags extends RunFlags {
  include?: string[];
  exclude?: string[];
  maxDepth?: number;
  maxPages?: number;
  scope?: 'sameHost' | 'domain';
  sitemap?: boolean;
  ignoreRobots?: boolean;
  delay?: number;
  profile?: string;
}

export const takesSite = (command: Command, mostPages: number): Command =>
  takesRun(
    command
      .option('--include <pattern>', 'only addresses such as "/docs/*"; may be repeated', another)
      .option('--exclude <pattern>', 'no such addresses; may be repeated', another)
      .option('--max-depth <count>', 'links away from the first page, 5 unless given', wholeNumber)
      .option('--max-pages <count>', `${mostPages} unless given, at most 10000`, wholeNumber)
      .addOption(
        new Option('--scope <scope>', 'the same host (unless given), or all hosts of the domain').choices([
          'sameHost',
          'domain',
        ]),
      )
      .option('--no-sitemap', 'do not begin with what sitemaps name')
      .option('--ignore-robots', 'go where robots.txt asks not to; only for sites that are yours')
      .option('--delay <time>', 'between two pages of a host, such as 500ms', duration)
      .option('--profile <name>', 'a saved profile to read the pages with, by its name or id'),
  );

export function siteFrom(flags: SiteFlags) {
  const { include, exclude, maxDepth, maxPages, scope, sitemap, ignoreRobots, delay, profile } = flags;
  return withoutGaps({
    ...runFrom(flags),
    ...{ include, exclude, maxDepth, maxPages, scope, delayMs: delay },
    sitemap: sitemap === false ? false : undefined,
    robots: ignoreRobots ? ('ignore' as const) : undefined,
    profile: profile === undefined ? undefined : profileRef(profile),
  });
}

export interface PageFlags extends SettingsOptions {
  action?: api.CreateBatchJob['action'];
  format?: api.QuickScrape['format'] | api.QuickScreenshot['format'];
  wholePage?: boolean;
  fullPage?: boolean;
  selector?: string;
  options?: unknown;
}

export const takesPage = (command: Command): Command =>
  takesSettings(
    command
      .addOption(
        new Option('--action <action>', 'what each page becomes').choices(['scrape', 'screenshot', 'pdf']),
      )
      .addOption(
        new Option('--format <format>', 'of a scrape markdown, of a screenshot png unless given').choices([
          ...['markdown', 'html', 'text', 'json'],
          ...['png', 'jpeg', 'webp'],
        ]),
      )
      .option('--whole-page', 'text with menus, banners and side bars')
      .option('--full-page', 'pictures of the whole page')
      .option('--selector <css>', 'only what matches')
      .option(
        '--options <json>',
        'any fields of the quick action for every page, or @FILE: {"waitFor": "networkidle"}',
        jsonOrFile,
      ),
  );

/** A file is to hold a page whole, unlike an answer on a terminal. */
const mostChars = 1_000_000;

export function pageFrom(flags: PageFlags & { profile?: string }) {
  const { action, format, wholePage, fullPage, selector, options } = flags;
  if (options !== undefined && (typeof options !== 'object' || options === null || Array.isArray(options)))
    throw wrongUsage('--options takes a JSON object, such as {"waitFor": "networkidle"}.');
  const isScrape = action === undefined || action === 'scrape';
  return {
    ...(action && { action }),
    options: {
      ...settingsFrom(flags),
      ...(isScrape && { maxChars: mostChars }),
      ...withoutGaps({ format, selector, fullPage, mainContent: wholePage ? false : undefined }),
      ...(options as object | undefined),
    },
  };
}

export interface BatchFlags extends RunFlags, PageFlags {
  profile?: string;
}

export const takesBatch = (command: Command): Command =>
  takesPage(
    takesRun(command).option('--profile <name>', 'a saved profile to read the pages with, by its name or id'),
  );

export function batchFrom(flags: BatchFlags) {
  const page = pageFrom(flags);
  const { profile } = flags;
  const options = { ...page.options, ...(profile !== undefined && { profile: profileRef(profile) }) };
  return { ...runFrom(flags), ...page, options };
}
