/** The groups of events; a group stands for all its types, including future ones. */
import type { api } from '@browserd/sdk';

export const groups = {
  browser: [
    'created',
    'ready',
    'stopping',
    'stopped',
    'resuming',
    'recovering',
    'recovered',
    'closing',
    'closed',
    'failed',
    'start_page_failed',
    'handoff',
    'limited',
  ],
  tab: ['opened', 'closed', 'navigated', 'crashed'],
  script: ['started', 'completed', 'failed'],
  computer: ['completed', 'failed'],
  download: ['started', 'completed', 'failed'],
  dialog: ['opened', 'closed'],
  recording: ['ready', 'failed'],
  captcha: ['detected', 'solved', 'failed', 'needs_human'],
  policy: ['blocked'],
  consent: ['declined', 'failed'],
  console: ['error'],
  capability: ['issued'],
  file: ['address_issued'],
  secret: ['used'],
  network: ['revealed'],
  profile: ['created', 'saved', 'save_failed', 'restored', 'exported', 'deleted', 'signed_out'],
  job: ['started', 'completed', 'cancelled', 'failed'],
  quick: ['completed', 'failed'],
} as const;

export type Group = keyof typeof groups;

export const patternsOf = (group: Group): api.EventPattern[] =>
  groups[group].map((name) => `${group}.${name}` as api.EventPattern);

/** A group replaces its types; without one of its types, a group becomes the others. */
export function toggled(chosen: readonly api.EventPattern[], pattern: api.EventPattern): api.EventPattern[] {
  const group = pattern.split('.')[0] as Group;
  const whole = `${group}.*` as api.EventPattern;
  const others = chosen.filter((one) => !one.startsWith(`${group}.`));
  const mine = chosen.filter((one) => one.startsWith(`${group}.`));
  if (pattern === whole) return mine.includes(whole) ? others : [...others, whole];
  if (mine.includes(whole)) return [...others, ...patternsOf(group).filter((one) => one !== pattern)];
  if (mine.includes(pattern)) return chosen.filter((one) => one !== pattern);
  return mine.length + 1 === groups[group].length ? [...others, whole] : [...chosen, pattern];
}

export const isChosen = (chosen: readonly api.EventPattern[], pattern: api.EventPattern): boolean =>
  chosen.includes(pattern) || chosen.includes(`${pattern.split('.')[0] as Group}.*`);
