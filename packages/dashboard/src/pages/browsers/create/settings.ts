/**
 * The form as the request for a new browser. Empty fields are not sent, so that the service applies its defaults; a value
 * that cannot be parsed is an error at its field, in the same form as errors of the service.
 */
import type { api } from '@browserd/sdk';
import { type Issue, jsonTrouble } from '../../../parts/forms/forms.ts';
import { allFields, type FormField } from './fields.ts';

export type Draft = Record<string, string | boolean>;

export interface CreateRequest {
  settings: api.CreateBrowser;
  waitSeconds: number;
  issues: Issue[];
}

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** `90s`, `1h 30m`; null if it is not a duration. */
export function durationOf(text: string): number | null {
  const parts = [...text.trim().matchAll(/\s*(\d+(?:\.\d+)?)\s*([smhd])/gy)];
  const read = parts.map(([whole]) => whole).join('');
  if (parts.length === 0 || read.trim() !== text.trim()) return null;
  return Math.round(
    parts.reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ''] ?? 0), 0),
  );
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

function pairsOf(text: string): Record<string, string> | Error {
  const pairs: Record<string, string> = {};
  for (const [index, line] of linesOf(text).entries()) {
    const [, key, value] = /^([^:=]+)[:=](.*)$/.exec(line) ?? [];
    if (!key?.trim()) return new Error(`line ${index + 1}: write it as name: value`);
    pairs[key.trim()] = (value ?? '').trim();
  }
  return pairs;
}

/** The value of a field; undefined if it is empty. */
function read(field: FormField, given: string | boolean | undefined): unknown {
  if (typeof given !== 'string') return given || undefined;
  if (given.trim() === '') return undefined;
  if (field.kind === 'list') return linesOf(given);
  if (field.kind === 'pairs') return pairsOf(given);
  if (field.kind === 'json') {
    const trouble = jsonTrouble(given);
    return trouble === undefined ? JSON.parse(given) : new Error(trouble);
  }
  if (field.kind === 'number') {
    const number = Number(given);
    return Number.isNaN(number) ? new Error('must be a number') : number;
  }
  if (field.kind === 'duration')
    return durationOf(given) ?? new Error('must be a number with s, m, h or d: 90s, 30m, 2h');
  return field.kind === 'password' ? given : given.trim();
}

/** `{}` with `a.b.c` → `{ a: { b: { c: value } } }`. Names come from the table of fields, never from a person. */
function put(target: Record<string, unknown>, path: string, value: unknown): void {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0) {
    target[first] = value;
    return;
  }
  target[first] ??= {};
  put(target[first] as Record<string, unknown>, rest.join('.'), value);
}

export function settingsOf(draft: Draft): CreateRequest {
  const settings: Record<string, unknown> = {};
  const issues: Issue[] = [];
  for (const field of allFields) {
    const value = read(field, draft[field.name]);
    if (value instanceof Error) issues.push({ path: field.name, reason: value.message });
    else if (value !== undefined) put(settings, field.name, value);
  }
  const { wait, ...request } = settings as { wait?: number } & api.CreateBrowser;
  return { settings: request, waitSeconds: Math.ceil((wait ?? 0) / 1000), issues };
}
