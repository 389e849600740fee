/** An event on one line: its type and what it is about. */
import type { api } from '@browserd/sdk';
import { oneLine } from './plain-text.ts';

export function eventLine({ type, data }: api.Event): string {
  const fields = data as Record<string, unknown>;
  const about = ['url', 'suggestedFilename', 'message', 'text', 'code', 'state', 'reason', 'rule', 'mode']
    .map((name) => fields[name])
    .filter((value) => typeof value === 'string' && value !== '')
    .map((value) => oneLine(String(value).slice(0, 300)));
  return [type, ...new Set(about)].join('  ');
}
