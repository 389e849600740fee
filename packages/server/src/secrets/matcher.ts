/**
 * Finds all of many texts at once, in a time that depends only on the length of what is searched: an automaton after Aho and
 * Corasick, over bytes of UTF-8. A regular expression would try each text at each place, and who may put in secrets decides how many
 * and how long they are.
 *
 * A state is the beginning of a form. Most have one successor, which is the next in order; only where forms part is it looked up.
 * Its memory is shared, so that a thread that packs evidence searches with the same one.
 *
 *   forms `cat`, `cow`:   0 ─c→ 1 ─a→ 2 ─t→ 3        letters of 2 and 3 say "follows the one before it"
 *                               1 ─o→ 4 ─w→ 5        the branch from 1 to 4 is in the table; 5 follows 4
 */

/** A text to be found, and how long it is where texts are not bytes. */
export interface Form {
  readonly bytes: Uint8Array;
  readonly units: number;
}

/** Texts that come and go together. */
export interface Forms {
  readonly all: readonly Form[];
  /** Of all of them. */
  readonly bytes: number;
  /** One of them may be a number, as JSON writes it. */
  readonly holdNumbers: boolean;
}

export interface Matcher {
  /** The byte that leads into each state, with two flags. */
  readonly letters: Uint16Array;
  /** Where to go on when nothing follows: the longest end of this beginning that is a beginning, too. */
  readonly fails: Int32Array;
  /** How long the longest form is that ends in each state, in bytes and as text. */
  readonly bytes: Uint16Array;
  readonly units: Uint16Array;
  /** What follows the first state, by byte. */
  readonly first: Int32Array;
  /** What follows where forms part: state, byte and target, found by their hash; a target of 0 is a free place. */
  readonly branches: Int32Array;
}

const follows = 0x100;
const parts = 0x200;
const letterAndFollows = 0x1ff;

/** After so many bytes another step begins. */
const stepBytes = 16 * 1024;
const longestForm = 0xffff;
/** State, byte and target. */
const branchSize = 3;

const hashOf = (state: number, byte: number): number => {
  const mixed = Math.imul(state ^ (byte << 24), 0x9e3779b1);
  return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 7;
};

/** The place of a branch in the table, or the free one where it would be. */
function placeOf(branches: Int32Array, state: number, byte: number): number {
  const mask = branches.length / branchSize - 1;
  for (let slot = hashOf(state, byte) & mask; ; slot = (slot + 1) & mask) {
    const at = slot * branchSize;
    if (branches[at + 2] === 0 || (branches[at] === state && branches[at + 1] === byte)) return at;
  }
}

/** What follows a state; 0: nothing does. */
function childOf(m: Matcher, state: number, byte: number): number {
  if (state === 0) return m.first[byte] as number;
  if (((m.letters[state + 1] as number) & letterAndFollows) === (byte | follows)) return state + 1;
  if (((m.letters[state] as number) & parts) === 0) return 0;
  return m.branches[placeOf(m.branches, state, byte) + 2] as number;
}

/** The state after one more byte. */
export function next(m: Matcher, from: number, byte: number): number {
  for (let state = from; state !== 0; state = m.fails[state] as number) {
    const child = childOf(m, state, byte);
    if (child !== 0) return child;
  }
  return m.first[byte] as number;
}

class Building {
  readonly #matcher: Matcher;
  readonly #groups: readonly Forms[];
  readonly #forms: Form[] = [];
  #states = 1;

  constructor(groups: readonly Forms[]) {
    this.#groups = groups;
    const most = groups.reduce((sum, { bytes }) => sum + bytes, 0) + 2;
    const forms = groups.reduce((sum, { all }) => sum + all.length, 0);
    // At most one for each form, in a table that is at most half full.
    const places = 2 ** Math.ceil(Math.log2(2 * forms + 2));
    const memory = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes);
    this.#matcher = {
      letters: new Uint16Array(memory(most * 2)),
      fails: new Int32Array(memory(most * 4)),
      bytes: new Uint16Array(memory(most * 2)),
      units: new Uint16Array(memory(most * 2)),
      first: new Int32Array(memory(256 * 4)),
      branches: new Int32Array(memory(places * branchSize * 4)),
    };
  }

  *all(): Generator<undefined, Matcher> {
    let inserted = 0;
    for (const { all } of this.#groups)
      for (const form of all) {
        this.#insert(form);
        this.#forms.push(form);
        inserted += form.bytes.length;
        if (inserted < stepBytes) continue;
        inserted = 0;
        yield;
      }
    yield* this.#linkAll();
    return this.#matcher;
  }

  #insert({ bytes, units }: Form): void {
    if (bytes.length > longestForm) throw new RangeError('A form of a secret is too long.');
    let state = 0;
    for (const byte of bytes) state = childOf(this.#matcher, state, byte) || this.#add(state, byte);
    this.#matcher.bytes[state] = bytes.length;
    this.#matcher.units[state] = units;
  }

  #add(parent: number, byte: number): number {
    const { letters, first, branches } = this.#matcher;
    const state = this.#states++;
    letters[state] = byte;
    if (parent === 0) first[byte] = state;
    else if (parent === state - 1) letters[state] = byte | follows;
    else {
      letters[parent] = (letters[parent] as number) | parts;
      branches.set([parent, byte, state], placeOf(branches, parent, byte));
    }
    return state;
  }

  /** Level by level: the links of a state lead to states that are nearer to the first one. */
  *#linkAll(): Generator<undefined, void> {
    const states = new Int32Array(this.#forms.length);
    const waiting = Int32Array.from(states.keys());
    let linked = 0;
    for (let depth = 0, active = waiting.length; active > 0; depth++) {
      let kept = 0;
      for (let at = 0; at < active; at++) {
        const form = waiting[at] as number;
        const { bytes } = this.#forms[form] as Form;
        if (bytes.length <= depth) continue;
        states[form] = this.#link(states[form] as number, bytes[depth] as number);
        waiting[kept++] = form;
        if (++linked % stepBytes === 0) yield;
      }
      active = kept;
    }
  }

  #link(parent: number, byte: number): number {
    const { fails, bytes, units } = this.#matcher;
    const state = childOf(this.#matcher, parent, byte);
    const end = parent === 0 ? 0 : next(this.#matcher, fails[parent] as number, byte);
    fails[state] = end;
    if (bytes[state] === 0) {
      bytes[state] = bytes[end] as number;
      units[state] = units[end] as number;
    }
    return state;
  }
}

/** In steps, because who puts secrets in decides how much there is to do. */
export const matcherOf = (groups: readonly Forms[]): Generator<undefined, Matcher> =>
  new Building(groups).all();
