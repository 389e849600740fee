/** What of a page is waited for before it is worked on: of one that is visited, and of a tab that is captured. */
import { Option } from 'commander';
import { suggest } from './suggestions.ts';

const waitFor = (text: string): string | number => (/^\d+$/.test(text) ? Number(text) : text);

export const waitForOption = (): Option =>
  suggest(
    new Option(
      '--wait-for <what>',
      'load, domcontentloaded, networkidle, a CSS selector, or milliseconds',
    ).argParser(waitFor),
    ['load', 'domcontentloaded', 'networkidle'],
  );
