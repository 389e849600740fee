/**
 * Values whose forms are searched for, and more and more of them. Each comes with a matcher of its own, so that one more costs only
 * itself. So that a search need not ask many, those of about the same size are joined into one, in steps and while the old ones are
 * still asked. A value is joined again only into what is larger by half, so it is joined a few times, however many there will be.
 *
 *   sizes   2000 · 400 · 60   ──one of 50 comes──>   2000 · 400 · 60 · 50   ──joined──>   2000 · 400 · 110
 *
 * Codes of the moment are kept apart, by the time when they mean nothing any more, and go together.
 */
import { formsInSteps } from './forms.ts';
import { type Forms, type Matcher, matcherOf } from './matcher.ts';

/** How exactly it is known when values end. */
const generationMs = 300_000;

/** What is searched for with one matcher. */
interface Part {
  readonly matcher: Matcher;
  readonly groups: readonly Forms[];
  /** Of all forms in it. */
  readonly bytes: number;
  readonly holdsNumbers: boolean;
}

interface Generation {
  readonly values: Set<string>;
  /** Largest first, but for what came last. */
  parts: Part[];
  isJoining: boolean;
}

export class KnownValues {
  /** By their ends: infinity for values that are masked for good. */
  readonly #generations = new Map<number, Generation>();

  get matchers(): Matcher[] {
    return this.#parts().map(({ matcher }) => matcher);
  }

  /** Of all forms. */
  get bytes(): number {
    return this.#parts().reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Whether a number may be a value as JSON writes it. */
  get holdNumbers(): boolean {
    return this.#parts().some(({ holdsNumbers }) => holdsNumbers);
  }

  has(value: string, until: number): boolean {
    return this.#generations.get(endOf(until))?.values.has(value) ?? false;
  }

  /** From now on they are searched for. */
  add(values: readonly string[], part: Part, until: number): void {
    const end = endOf(until);
    for (const past of this.#generations.keys()) if (past <= Date.now()) this.#generations.delete(past);
    const generation = this.#generations.get(end) ?? { values: new Set(), parts: [], isJoining: false };
    for (const value of values) generation.values.add(value);
    generation.parts.push(part);
    this.#generations.set(end, generation);
  }

  /** Joins what is alike, unless that is being done. */
  *join(until: number): Generator<undefined, void> {
    const generation = this.#generations.get(endOf(until));
    if (!generation || generation.isJoining) return;
    generation.isJoining = true;
    for (let alike = lastAlike(generation.parts); alike.length > 1; alike = lastAlike(generation.parts)) {
      const one = yield* partOf(alike.flatMap(({ groups }) => groups));
      // Others may have come meanwhile.
      const others = generation.parts.filter((part) => !alike.includes(part));
      generation.parts = [...others, one].sort((a, b) => b.bytes - a.bytes);
    }
    generation.isJoining = false;
  }

  #parts(): Part[] {
    const parts: Part[] = [];
    for (const [end, generation] of this.#generations) if (end > Date.now()) parts.push(...generation.parts);
    return parts;
  }
}

export function* partOfValues(values: readonly string[]): Generator<undefined, Part> {
  const groups: Forms[] = [];
  for (const value of values) groups.push(yield* formsInSteps(value));
  return yield* partOf(groups);
}

function* partOf(groups: readonly Forms[]): Generator<undefined, Part> {
  const bytes = groups.reduce((sum, group) => sum + group.bytes, 0);
  const holdsNumbers = groups.some(({ holdNumbers }) => holdNumbers);
  return { matcher: yield* matcherOf(groups), groups, bytes, holdsNumbers };
}

const endOf = (until: number): number => Math.ceil(until / generationMs) * generationMs;

/** From the first one that is smaller than twice all that comes behind it. */
function lastAlike(parts: readonly Part[]): Part[] {
  let alike = Math.max(0, parts.length - 1);
  let behind = 0;
  for (let at = parts.length - 1; at >= 0; at--) {
    const { bytes } = parts[at] as Part;
    if (bytes < 2 * behind) alike = at;
    behind += bytes;
  }
  return parts.slice(alike);
}
