/** What `scrape`, `screenshot` and `pdf` have in common: one page, in a browser that exists for one request. */
import type { api } from '@browserd/sdk';
import { type Command, Option } from 'commander';
import { type Call, readStdin } from '../../call/call.ts';
import { wrongUsage } from '../../failure.ts';
import {
  profileRef,
  type SettingsOptions,
  seconds,
  settingsFrom,
  several,
  suggest,
  takesSettings,
  timeLimit,
  waitForOption,
  withoutGaps,
} from '../../options/options.ts';
import { type SaveOptions, takesOutput } from '../../save/save.ts';
import { assetsFrom, oneMore } from './assets.ts';
import { type StoreFlags, takesStore } from './stored.ts';

export interface QuickFlags extends SettingsOptions, SaveOptions, StoreFlags {
  asset?: string[];
  waitFor?: string | number;
  timeout?: number;
  partial?: boolean;
  blockResources?: string[];
  solveCaptcha?: boolean;
  profile?: string;
  wait?: number;
  maxAge?: number;
}

export const takesQuick = (command: Command, otherwise: string): Command =>
  takesSettings(
    takesStore(takesOutput(command, otherwise))
      .option(
        '--asset <path>',
        'a file that HTML on stdin names by this path, or PATH=file_… of the project; may be repeated',
        oneMore,
      )
      .addOption(waitForOption())
      .option('--timeout <time>', 'for the page, 30s unless given, at most 120s', timeLimit)
      .option('--partial', 'when the time is up, take what is there')
      .addOption(
        suggest(
          new Option('--block-resources <kinds>', 'do not load image, font, media, stylesheet').argParser(
            several,
          ),
          ['image', 'font', 'media', 'stylesheet'],
        ),
      )
      .option('--profile <name>', 'a saved profile to read the page with, by its name or id')
      .option('--solve-captcha', 'try to solve captchas; only where you may')
      .option('--max-age <time>', 'a kept answer will do when it is not older, such as 10m', timeLimit)
      .option('--wait <seconds>', 'wait so long for room when the service is full', seconds),
  );

export type CommonBody = Pick<
  api.QuickScrape,
  | 'url'
  | 'html'
  | 'assets'
  | 'waitFor'
  | 'timeoutMs'
  | 'partial'
  | 'blockResources'
  | 'solveCaptcha'
  | 'profile'
  | 'maxAgeMs'
>;

export async function quickBody(call: Call<QuickFlags>, page: string): Promise<CommonBody> {
  const { asset, waitFor, timeout, partial, blockResources, solveCaptcha, profile, maxAge } = call.options;
  const source = page === '-' ? { html: await readStdin() } : { url: addressOf(page) };
  return {
    ...settingsFrom(call.options),
    ...source,
    ...(asset && { assets: await assetsFrom(asset, page) }),
    ...withoutGaps({ waitFor, timeoutMs: timeout, partial, solveCaptcha, maxAgeMs: maxAge }),
    ...(profile !== undefined && { profile: profileRef(profile) }),
    ...(blockResources && { blockResources: blockResources as CommonBody['blockResources'] }),
  };
}

/** An address as people type it, with or without https://. */
export function addressOf(page: string, more = ', or - for HTML on stdin'): string {
  if (URL.canParse(page) && /^[a-z][a-z+.-]*:\/\//i.test(page)) return page;
  const guessed = `https://${page}`;
  if (!/^[\w.-]+\.[a-z]{2,}([/:?#]|$)/i.test(page) || !URL.canParse(guessed))
    throw wrongUsage(`"${page}" is not an address. Expected one such as https://example.com${more}.`);
  return guessed;
}

export async function waitingFor<Value>({ out }: Call, work: Promise<Value>): Promise<Value> {
  using progress = out.progress();
  progress.say('waiting for the page …');
  return await work;
}
