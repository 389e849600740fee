/** What is done to a page before it is captured: of `screenshot` and `pdf`, quick or of a tab. */
import { type Command, Option } from 'commander';
import { wrongUsage } from '../failure.ts';
import { withoutGaps } from './browser-settings.ts';
import { duration } from './option-values.ts';

export interface ReadyOptions {
  hide?: string[];
  remove?: string[];
  click?: string[];
  scroll?: boolean;
  style?: string;
  media?: 'screen' | 'print';
  delay?: number;
  /** Unless the caller said `--no-wait-for-fonts`. */
  waitForFonts?: boolean;
  failOnStatus?: (number | string)[];
}

/** A selector may have commas, so each is an option of its own. */
export const another = (text: string, before: string[] = []): string[] => [...before, text];

const statuses = (text: string): (number | string)[] =>
  text.split(',').map((each) => {
    const status = each.trim().toLowerCase();
    if (/^[1-5]xx$/.test(status)) return status;
    if (/^[1-5]\d\d$/.test(status)) return Number(status);
    throw wrongUsage(`--fail-on-status takes statuses such as 404,5xx, not ${each}.`);
  });

export const takesReady = (command: Command): Command =>
  command
    .option('--hide <css>', 'do not show what matches; may be repeated', another)
    .option('--remove <css>', 'leave out what matches; may be repeated', another)
    .option('--click <css>', 'click on it first; may be repeated', another)
    .option('--scroll', 'scroll through the page first, for what loads when it is reached')
    .option('--style <css>', 'rules that hold while it is captured')
    .addOption(new Option('--media <type>', 'which media rules hold').choices(['screen', 'print']))
    .option('--no-wait-for-fonts', 'draw text without the web fonts that are not there yet')
    .option('--delay <time>', 'wait at last, such as 500ms', duration)
    .option(
      '--fail-on-status <codes>',
      'fail instead when the page has one of these, such as 404,5xx',
      statuses,
    );

export function readyFrom({ style, failOnStatus, ...same }: ReadyOptions) {
  const { hide, remove, click, scroll, media, delay } = same;
  const waitForFonts = same.waitForFonts === false ? false : undefined;
  return withoutGaps({
    ...{ hide, remove, click, scroll, media, delay, waitForFonts, addStyle: style },
    failOn: failOnStatus && { status: failOnStatus },
  });
}
