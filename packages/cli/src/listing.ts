import type { Listing } from '@browserd/sdk';
import { type Command, Option } from 'commander';
import type { Call } from './call.ts';
import { count } from './option-values.ts';

/** Lists have no end that a person would wait for: so many are shown, and more on demand. */
export interface ListOptions {
  limit: number;
}

export const listOptions = (command: Command): Command =>
  command.addOption(
    new Option('-n, --limit <count>', 'at most so many, or all').argParser(count).default(100, '100'),
  );

/** Asks for no more at a time than is wanted, with one to see whether there are more. */
export const pageSize = ({ options }: Call<ListOptions>): number => Math.min(100, options.limit + 1);

export async function firstOf<Item>(
  { options: { limit }, out }: Call<ListOptions>,
  listing: Listing<Item>,
): Promise<Item[]> {
  const items = await listing.all(limit + 1);
  if (items.length > limit) out.note(`Only ${limit} of them; --limit all shows more.`);
  return items.slice(0, limit);
}
