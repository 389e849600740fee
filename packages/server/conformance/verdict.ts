/** What a difference means: meant and told in the docs, or wrong. */
import { isDeepStrictEqual } from 'node:util';
import type { Denial } from './denials.ts';

export interface Result {
  /** `area: check`. */
  check: string;
  engine: 'shell' | 'full';
  bare: unknown;
  ours: unknown;
}

export type Verdict = 'same' | 'meant' | 'different' | 'no longer different';

export function verdictOf({ check, engine, bare, ours }: Result, denials: readonly Denial[]): Verdict {
  const denied = denials.some((row) => row.check === check && (row.engine ?? engine) === engine);
  if (isDeepStrictEqual(bare, ours)) return denied ? 'no longer different' : 'same';
  return denied ? 'meant' : 'different';
}

const widest = 90;
/** Where two texts part, so that a long value shows what is different in it. */
function around(value: unknown, other: unknown): string {
  const [text, rival] = [JSON.stringify(value) ?? 'undefined', JSON.stringify(other) ?? 'undefined'];
  if (text.length <= widest) return text;
  let at = 0;
  while (at < text.length && text[at] === rival[at]) at++;
  const start = Math.max(0, Math.min(at - 20, text.length - widest));
  return `${start > 0 ? '…' : ''}${text.slice(start, start + widest)}${start + widest < text.length ? '…' : ''}`;
}

export function tableOf(results: readonly Result[], denials: readonly Denial[]): string {
  const lines: string[] = [];
  for (const result of results) {
    const verdict = verdictOf(result, denials);
    if (verdict === 'same') continue;
    const heading = denials.find(({ check }) => check === result.check)?.heading;
    lines.push(
      `${verdict.padEnd(19)} ${result.engine.padEnd(5)} ${result.check}${heading ? `  (${heading})` : ''}`,
    );
    lines.push(`${' '.repeat(26)}bare: ${around(result.bare, result.ours)}`);
    if (verdict !== 'no longer different')
      lines.push(`${' '.repeat(26)}ours: ${around(result.ours, result.bare)}`);
  }
  return lines.join('\n');
}

export const summaryOf = (
  results: readonly Result[],
  denials: readonly Denial[],
): Record<Verdict, number> => {
  const counts: Record<Verdict, number> = { same: 0, meant: 0, different: 0, 'no longer different': 0 };
  for (const result of results) counts[verdictOf(result, denials)]++;
  return counts;
};
