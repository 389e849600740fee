import type { api } from '@browserd/sdk';
import type { Tone } from '../../parts/badge.tsx';

/**
 * What an event says to a person. `says` is ours; `about` is what a page, a server or a script named (a title, an
 * address, a message): hostile text, to be shown as text and nothing else.
 */
export type Kind =
  | 'status'
  | 'script'
  | 'page'
  | 'person'
  | 'captcha'
  | 'dialog'
  | 'download'
  | 'refused'
  | 'console'
  | 'recording'
  | 'access';

export interface Words {
  kind: Kind;
  tone: Tone;
  says: string;
  about?: string;
}

type Data = api.Event['data'];
type Teller = (data: Data) => Omit<Words, 'kind'>;

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const line = (says: string, about?: unknown, tone: Tone = 'calm'): Omit<Words, 'kind'> => ({
  says,
  about: text(about),
  tone,
});
const plain =
  (says: string, tone: Tone = 'calm'): Teller =>
  () =>
    line(says, undefined, tone);
const lost = ({ lost: all }: Data): string | undefined =>
  Array.isArray(all) && all.length > 0 ? `Lost: ${all.join('; ')}` : undefined;

const handoff: Teller = ({ state, message }) => {
  if (state === 'requested') return line('A person was asked to take over', message, 'busy');
  if (state === 'person') return line('A person took over; scripts wait', message, 'busy');
  return line('Handed back to scripts', message, 'good');
};

const refusal: Teller = ({ url, file, rule, suppressed }) => {
  if (typeof suppressed === 'number') return line(`${suppressed} more refusals, not listed`);
  const what = file === undefined ? 'Refused' : 'File refused';
  return line(`${what}: ${words(rule)}`, url ?? file, 'bad');
};

const consoleError: Teller = ({ kind, text: said, suppressed }) => {
  if (typeof suppressed === 'number') return line(`${suppressed} more console errors, not listed`);
  return line(kind === 'uncaught' ? 'Uncaught error' : 'Console error', said, 'bad');
};

const dialogOpened: Teller = ({ type, message, suppressed }) =>
  typeof suppressed === 'number'
    ? line(`${suppressed} more dialogs, not listed`)
    : line(`Dialog (${words(type)}) opened`, message, 'busy');

const captcha = (says: string, tone: Tone): Teller => {
  return ({ type, reason }) => line(`${says}: ${words(type)}`, reason, tone);
};

const tellers: Record<api.EventType, readonly [Kind, Teller]> = {
  'browser.created': ['status', plain('Created')],
  'browser.ready': ['status', (data) => line('Ready', lost(data), 'good')],
  'browser.stopping': ['status', plain('Stopping')],
  'browser.stopped': ['status', ({ reason }) => line('Stopped; its state is kept', reason)],
  'browser.resuming': ['status', plain('Resuming', 'busy')],
  'browser.recovering': ['status', ({ reason }) => line('Recovering', reason, 'busy')],
  'browser.recovered': ['status', (data) => line('Recovered', lost(data), 'good')],
  'browser.closing': ['status', ({ reason }) => line('Closing', reason)],
  'browser.closed': ['status', ({ reason }) => line('Closed', reason)],
  'browser.failed': ['status', ({ reason }) => line('Failed', reason, 'bad')],
  'browser.handoff': ['person', handoff],
  'tab.opened': ['page', ({ url }) => line('Tab opened', url)],
  'tab.closed': ['page', ({ url }) => line('Tab closed', url)],
  'tab.navigated': ['page', ({ url }) => line('Went to', url)],
  'tab.crashed': ['page', ({ url }) => line('Tab crashed', url, 'bad')],
  'script.started': ['script', plain('Script runs', 'busy')],
  'script.completed': ['script', plain('Script ran', 'good')],
  'script.failed': ['script', ({ code }) => line('Script failed', code, 'bad')],
  'download.started': [
    'download',
    ({ suggestedFilename }) => line('Download began', suggestedFilename, 'busy'),
  ],
  'download.completed': [
    'download',
    ({ suggestedFilename }) => line('Downloaded', suggestedFilename, 'good'),
  ],
  'download.failed': [
    'download',
    ({ suggestedFilename, reason }) => line(`Download failed: ${words(reason)}`, suggestedFilename, 'bad'),
  ],
  'dialog.opened': ['dialog', dialogOpened],
  'dialog.closed': [
    'dialog',
    ({ type, state, message }) => line(`Dialog (${words(type)}) ${words(state)}`, message),
  ],
  'recording.ready': ['recording', plain('Recording ready', 'good')],
  'recording.failed': ['recording', ({ reason }) => line('Recording failed', reason, 'bad')],
  'captcha.detected': ['captcha', captcha('Captcha', 'busy')],
  'captcha.solved': ['captcha', captcha('Captcha solved', 'good')],
  'captcha.failed': ['captcha', captcha('Captcha not solved', 'bad')],
  'captcha.needs_human': ['captcha', captcha('A captcha waits for a person', 'busy')],
  'policy.blocked': ['refused', refusal],
  'console.error': ['console', consoleError],
  'capability.issued': [
    'access',
    ({ kind, mode }) =>
      line(kind === 'cdp' ? 'Address for CDP issued' : `Live address issued (${words(mode)})`),
  ],
  'quick.completed': ['script', plain('Quick action done', 'good')],
  'quick.failed': ['script', ({ code }) => line('Quick action failed', code, 'bad')],
};

export function wordsFor({ type, data }: Pick<api.Event, 'type' | 'data'>): Words {
  const known = tellers[type] as (typeof tellers)[api.EventType] | undefined;
  // a service that is newer than this page may tell of more
  if (!known) return { kind: 'status', tone: 'calm', says: type };
  const [kind, tell] = known;
  return { kind, ...tell(data) };
}

/** Names of the contract, such as `blocked_domain`, as words. */
export function words(name: unknown): string {
  return (text(name) ?? 'unknown').replaceAll(/[_-]/g, ' ');
}
