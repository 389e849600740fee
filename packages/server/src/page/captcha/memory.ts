/** What is remembered of the captchas of one tab, as long as its page shows them: when each was seen first, and what became of it. */
import { iso } from '../../kit/clock.ts';
import { itemOf, type Resolved } from './resolve.ts';
import type { CaptchaItem, Captchas } from './schema.ts';
import { isAccepted, type Sighting } from './sight.ts';

interface Remembered {
  item: CaptchaItem;
  given?: string;
}

export type Change = 'detected' | 'solved' | 'failed';

export class TabMemory {
  /** Solvers are at work. */
  solving = false;
  #known = new Map<string, Remembered>();
  readonly #tabId: string;
  readonly #onChange: (change: Change, item: CaptchaItem) => void;

  constructor(tabId: string, onChange: (change: Change, item: CaptchaItem) => void) {
    this.#tabId = tabId;
    this.#onChange = onChange;
  }

  recall(sighting: Sighting): { detectedAt: string; given?: string } {
    const { item, given } = this.#known.get(sighting.key) ?? this.#meet(sighting);
    return { detectedAt: item.detectedAt, given };
  }

  /** After a look at the page: what it shows now. */
  see(all: Sighting[]): Captchas {
    const now = new Map(all.map((sighting) => [sighting.key, this.#update(sighting)]));
    this.#known = now;
    return this.answer([...now.values()].map(({ item }) => item));
  }

  /** After the solvers were at work. */
  settle(resolved: Resolved[]): Captchas {
    for (const { item, key, given } of resolved) {
      const before = this.#known.get(key)?.item.state;
      this.#known.set(key, { item, given });
      if (item.state === 'failed' || (item.state === 'solved' && before !== 'solved'))
        this.#onChange(item.state, item);
    }
    return this.answer(resolved.map(({ item }) => item));
  }

  answer(items: CaptchaItem[]): Captchas {
    const shown = items.map((item) =>
      this.solving && item.state !== 'solved' ? { ...item, state: 'solving' as const } : item,
    );
    return { state: stateOf(shown), items: shown };
  }

  #meet(sighting: Sighting): Remembered {
    const known = { item: itemOf(sighting, this.#tabId, iso(Date.now())) };
    this.#known.set(sighting.key, known);
    this.#onChange('detected', known.item);
    return known;
  }

  #update(sighting: Sighting): Remembered {
    const known = this.#known.get(sighting.key) ?? this.#meet(sighting);
    const accepted = isAccepted(sighting, known.given);
    const { item } = known;
    if (accepted && item.state !== 'solved') {
      const solved = { ...item, state: 'solved' as const, resolvedAt: iso(Date.now()), reason: undefined };
      // While a solver is at it, it will tell, and how.
      if (!this.solving) this.#onChange('solved', solved);
      return this.solving ? known : { ...known, item: solved };
    }
    // A response can expire.
    if (!accepted && item.state === 'solved' && sighting.type !== 'image')
      return { ...known, item: { ...item, state: 'detected', resolvedAt: undefined, method: undefined } };
    return known;
  }
}

function stateOf(items: CaptchaItem[]): Captchas['state'] {
  if (items.length === 0) return 'none';
  const has = (state: CaptchaItem['state']): boolean => items.some((item) => item.state === state);
  if (has('solving')) return 'solving';
  if (items.every(({ state }) => state === 'solved')) return 'solved';
  return has('failed') ? 'failed' : 'detected';
}
