import type { Output } from './output.ts';

/**
 * The same for several, one after the other, each told when it is done. The one document of `--json` has all that was
 * done also when a later one fails.
 */
export async function oneByOne<Item, Done>(
  out: Output,
  items: Iterable<Item>,
  work: (item: Item, before: number) => Promise<Done>,
  told: (done: Done) => { id: string; words: string },
): Promise<void> {
  const all: Done[] = [];
  try {
    for (const item of items) {
      const done = await work(item, all.length);
      all.push(done);
      const { id, words } = told(done);
      if (!out.json) out.done(done, id, words);
    }
  } finally {
    if (out.json) out.document(all);
  }
}
