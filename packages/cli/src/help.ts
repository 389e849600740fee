import { type Command, Option } from 'commander';
import { count } from './option-values.ts';

/** What the help of the commands has in common. */
export const examples = (...lines: string[]): string =>
  `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;

export interface ListOptions {
  limit: number;
}

export const listOptions = (command: Command): Command =>
  command.addOption(
    new Option('-n, --limit <count>', 'at most so many, or all').argParser(count).default(100, '100'),
  );
