/**
 * The last observations of one browser, for diffs. They are plain texts, few, and gone with its Chromium: a caller whose
 * observation is forgotten gets the whole page again.
 */
import { randomBytes } from 'node:crypto';

export interface Remembered {
  id: string;
  /** Whose it was, and what was asked for. */
  keyId: string;
  tabId: string;
  asked: string;
  /** Of which document of the tab. */
  document: string;
  text: string;
}

const most = 24;
const mostChars = 4_000_000;

export class Memory {
  /** Oldest first. */
  readonly #all = new Map<string, Remembered>();
  #chars = 0;

  add(seen: Omit<Remembered, 'id'>): Remembered {
    const known = { ...seen, id: `obs_${randomBytes(6).toString('hex')}` };
    this.#all.set(known.id, known);
    this.#chars += known.text.length;
    for (const [id, { text }] of this.#all) {
      if ((this.#all.size <= most && this.#chars <= mostChars) || id === known.id) break;
      this.#all.delete(id);
      this.#chars -= text.length;
    }
    return known;
  }

  get(id: string): Remembered | undefined {
    return this.#all.get(id);
  }

  /** The newest of the caller that asked for this of the tab. */
  last({ keyId, tabId, asked }: Pick<Remembered, 'keyId' | 'tabId' | 'asked'>): Remembered | undefined {
    return [...this.#all.values()].findLast(
      (seen) => seen.keyId === keyId && seen.tabId === tabId && seen.asked === asked,
    );
  }
}
