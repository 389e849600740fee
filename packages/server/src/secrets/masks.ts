/**
 * Masks the values of secrets in what leaves the service. A value is known here before it is first typed, for its whole
 * project: whichever browser, key or page of the project shows it, it is masked.
 */
import { inSteps, shareOf } from '../kit/loop-share.ts';
import { RawJson } from '../kit/raw-json.ts';
import { KnownValues, partOfValues } from './known-values.ts';
import { maskedDeep, maskedText, spansIn } from './mask-text.ts';
import { maskedJson } from './masked-json.ts';
import type { Matcher } from './matcher.ts';
import { spansInBytes } from './search.ts';

export class Masks {
  readonly #projects = new Map<string, KnownValues>();
  /** Of all projects: a line of the log may be of any of them, and must not be searched once for each. */
  readonly #everywhere = new KnownValues();

  /** When it resolves, they are masked: for good, or until a time. A code of the moment means nothing later. */
  async add(
    projectId: string,
    values: readonly string[],
    until: number = Number.POSITIVE_INFINITY,
  ): Promise<void> {
    const unknown = values.filter((value) => !this.has(projectId, value, until));
    if (unknown.length === 0 || until <= Date.now()) return;
    const share = shareOf(projectId);
    const part = await inSteps(share, partOfValues(unknown));
    const known = this.#projects.get(projectId) ?? new KnownValues();
    this.#projects.set(projectId, known);
    for (const to of [known, this.#everywhere]) {
      to.add(unknown, part, until);
      // No caller waits for it: what is not joined yet is found as well.
      void inSteps(share, to.join(until));
    }
  }

  has(projectId: string, value: string, until: number = Number.POSITIVE_INFINITY): boolean {
    return this.#projects.get(projectId)?.has(value, until) ?? false;
  }

  /** Of all forms that are masked for a project. */
  bytesOf(projectId: string): number {
    return this.#projects.get(projectId)?.bytes ?? 0;
  }

  text(projectId: string, text: string): string {
    return maskedText(this.matchersOf(projectId), text);
  }

  /** The same value with every text in it masked. */
  deep<T>(projectId: string, value: T): T {
    const matchers = this.matchersOf(projectId);
    return matchers.length > 0 ? (maskedDeep(matchers, value) as T) : value;
  }

  /** What a caller's code has made, where names of fields and numbers may be the value, too. */
  async made(projectId: string, value: unknown): Promise<unknown> {
    const known = this.#projects.get(projectId);
    if (!known) return value;
    const { matchers, holdNumbers: numbers } = known;
    if (!(value instanceof RawJson)) return maskedDeep(matchers, value, { names: true, numbers });
    const shown = await inSteps(shareOf(projectId), maskedJson(known, value.bytes));
    return shown === value.bytes ? value : new RawJson(shown);
  }

  /** JSON as text: parsed only where there is something to mask. */
  json(projectId: string, payload: string): string {
    const matchers = this.matchersOf(projectId);
    if (spansIn(matchers, payload).count === 0) return payload;
    return JSON.stringify(maskedDeep(matchers, JSON.parse(payload)));
  }

  /** Whether bytes hold a value in one of its forms. */
  async isIn(projectId: string, bytes: Uint8Array): Promise<boolean> {
    for (const matcher of this.matchersOf(projectId))
      if ((await inSteps(shareOf(projectId), spansInBytes(matcher, bytes, 1))).count > 0) return true;
    return false;
  }

  /** With what `isIn` searches, for another thread. */
  matchersOf(projectId: string): Matcher[] {
    return this.#projects.get(projectId)?.matchers ?? [];
  }

  /** For what belongs to no project, the log for one. */
  everywhere(text: string): string {
    return maskedText(this.#everywhere.matchers, text);
  }
}
