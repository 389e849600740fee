/** A request rule in words: which requests it is about, and what becomes of them. */
import type { api } from '@browserd/sdk';
import { duration } from '../../../parts/text/text.ts';

type Rule = api.RequestRule;

export function matchWords({ url, host, type, method, thirdParty }: Rule['match']): string {
  const words = [
    thirdParty === undefined ? undefined : thirdParty ? 'third-party' : 'first-party',
    method?.toUpperCase(),
    type,
    'requests',
    url && `to ${url}`,
    host && `${url ? 'at' : 'to'} ${host}`,
  ].filter(Boolean);
  return words.length === 1 ? 'all requests' : words.join(' ');
}

export function doneWords(done: Rule['do']): string {
  switch (done.action) {
    case 'fail':
      return `fail as ${done.error}`;
    case 'respond':
      return `respond with ${done.status ?? 200}`;
    case 'delay':
      return `delay by ${duration(done.ms)}`;
    case 'redirect':
      return `redirect to ${done.url}`;
    case 'headers':
      return headerWords(done);
    default:
      return done.action;
  }
}

function headerWords({ set = {}, remove = [] }: { set?: Record<string, string>; remove?: string[] }): string {
  const words = [
    Object.keys(set).length > 0 && `set ${Object.keys(set).join(', ')}`,
    remove.length > 0 && `remove ${remove.join(', ')}`,
  ];
  return words.filter(Boolean).join('; ') || 'headers as they are';
}
