/**
 * The same work for several items, one after the other, each reported when it is done. The document of `--json` has all
 * that was done, even when a later item fails.
 */
import type { Output } from '../output/output.ts';

export async function oneByOne<Item, Done>(
  out: Output,
  items: Iterable<Item>,
  work: (item: Item, before: number) => Promise<Done>,
  describe: (done: Done) => { id: string; words: string },
): Promise<void> {
  const all: Done[] = [];
  try {
    for (const item of items) {
      const done = await work(item, all.length);
      all.push(done);
      const { id, words } = describe(done);
      if (!out.json) out.done(done, id, words);
    }
  } finally {
    if (out.json) out.document(all);
  }
}
