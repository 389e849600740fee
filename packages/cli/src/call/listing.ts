/** Lists can be endless: a command shows so many items, and more on demand. */
import type { Listing } from '@browserd/sdk';
import { type Command, Option } from 'commander';
import { count } from '../options/options.ts';
import type { Call } from './action.ts';

export interface ListOptions {
  limit: number;
}

export const listOptions = (command: Command): Command =>
  command.addOption(
    new Option('-n, --limit <count>', 'at most so many, or all').argParser(count).default(100, '100'),
  );

/** Fetches no more than needed, plus one item to see whether there are more. */
export const pageSize = ({ options }: Call<ListOptions>): number => Math.min(100, options.limit + 1);

export async function firstOf<Item>(
  { options: { limit }, out }: Call<ListOptions>,
  listing: Listing<Item>,
): Promise<Item[]> {
  const items = await listing.all(limit + 1);
  if (items.length > limit) out.note(`Only ${limit} of them; --limit all shows more.`);
  return items.slice(0, limit);
}
