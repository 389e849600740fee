/**
 * Masks the values of secrets in what leaves the service. A value is known here before it is first typed, for its whole
 * project: whichever browser, key or page of the project shows it, it is masked.
 */
import { masked } from '../kit/mask-headers.ts';
import { RawJson } from '../kit/raw-json.ts';
import { formsOf } from './forms.ts';

interface Known {
  /** Until when each is masked. */
  values: Map<string, number>;
  pattern: RegExp;
}

const never = /(?!)/g;
const deepest = 600;

export class Masks {
  readonly #projects = new Map<string, Known>();

  /** For good, or until a time: a code of the moment means nothing later. */
  add(projectId: string, value: string, until: number = Number.POSITIVE_INFINITY): void {
    const known = this.#projects.get(projectId) ?? { values: new Map<string, number>(), pattern: never };
    if ((known.values.get(value) ?? 0) >= until) return;
    const now = Date.now();
    for (const [each, end] of known.values) if (end < now) known.values.delete(each);
    known.values.set(value, Math.max(until, known.values.get(value) ?? 0));
    known.pattern = patternOf(known.values.keys());
    this.#projects.set(projectId, known);
  }

  text(projectId: string, text: string): string {
    const known = this.#projects.get(projectId);
    return known ? text.replace(known.pattern, masked) : text;
  }

  /** The same value with every text in it masked. */
  deep<T>(projectId: string, value: T): T {
    const known = this.#projects.get(projectId);
    return known ? (maskDeep(value, { pattern: known.pattern }) as T) : value;
  }

  /** What a caller's code has made, where names of fields and numbers may be the value, too. */
  made(projectId: string, value: unknown): unknown {
    const known = this.#projects.get(projectId);
    if (!known) return value;
    const made = value instanceof RawJson ? value.toJSON() : value;
    return maskDeep(made, { pattern: known.pattern, all: true });
  }

  /** JSON as text: parsed only where there is something to mask. */
  json(projectId: string, payload: string): string {
    const known = this.#projects.get(projectId);
    if (!known || payload.search(known.pattern) < 0) return payload;
    return JSON.stringify(maskDeep(JSON.parse(payload), { pattern: known.pattern }));
  }

  /** Whether bytes hold a value in one of its forms. */
  isIn(projectId: string, bytes: Uint8Array): boolean {
    const known = this.#projects.get(projectId);
    return known !== undefined && Buffer.from(bytes).toString('latin1').search(inBytes(known)) >= 0;
  }

  /** The same as `isIn` looks for, for another thread: the source of a regular expression; undefined when there is nothing. */
  patternOfBytes(projectId: string): string | undefined {
    const known = this.#projects.get(projectId);
    return known && inBytes(known).source;
  }

  /** For what belongs to no project, the log for one. */
  everywhere(text: string): string {
    let shown = text;
    for (const { pattern } of this.#projects.values()) shown = shown.replace(pattern, masked);
    return shown;
  }
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

function patternOf(values: Iterable<string>, write = (form: string): string => form): RegExp {
  const forms = [...new Set([...values].flatMap(formsOf))].map(write).sort((a, b) => b.length - a.length);
  return forms.length === 0 ? never : new RegExp(forms.map(literal).join('|'), 'g');
}

/** Each byte a letter: whatever the bytes mean, the search finds the bytes of a form. */
const inBytes = ({ values }: Known): RegExp =>
  patternOf(values.keys(), (form) => Buffer.from(form).toString('latin1'));

interface How {
  pattern: RegExp;
  all?: boolean;
}

function maskDeep(value: unknown, how: How, depth = 0): unknown {
  const { pattern, all } = how;
  if (typeof value === 'string') return value.replace(pattern, masked);
  if (typeof value === 'number') return all && String(value).replace(pattern, '') === '' ? masked : value;
  if (value === null || typeof value !== 'object') return value;
  if (depth > deepest) return masked;
  if (Array.isArray(value)) return value.map((each) => maskDeep(each, how, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      all ? name.replace(pattern, masked) : name,
      maskDeep(each, how, depth + 1),
    ]),
  );
}
