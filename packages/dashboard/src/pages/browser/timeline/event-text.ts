/**
 * An event as a line for people. `says` is our own text; `about` comes from a page, a server or a script (a title, an
 * address, a message): untrusted, to be shown as text and nothing else.
 */
import type { api } from '@browserd/sdk';
import type { Tone } from '../../../parts/notices/notices.ts';
import { asWords } from '../../../parts/text/text.ts';

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

export interface EventText {
  kind: Kind;
  tone: Tone;
  says: string;
  about?: string;
}

type Data = api.Event['data'];
type Describe = (data: Data) => Omit<EventText, 'kind'>;

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const line = (says: string, about?: unknown, tone: Tone = 'calm'): Omit<EventText, 'kind'> => ({
  says,
  about: text(about),
  tone,
});
const plain =
  (says: string, tone: Tone = 'calm'): Describe =>
  () =>
    line(says, undefined, tone);
const lost = ({ lost: all }: Data): string | undefined =>
  Array.isArray(all) && all.length > 0 ? `Lost: ${all.join('; ')}` : undefined;

const handoff: Describe = ({ state, message }) => {
  if (state === 'requested') return line('A person was asked to take over', message, 'busy');
  if (state === 'person') return line('A person took over; scripts are paused', message, 'busy');
  return line('Handed back to scripts', message, 'good');
};

const stepsOf = (actions: unknown): string =>
  Array.isArray(actions) ? actions.map(({ type }) => type).join(', ') : '';

const hostsOf = (hosts: { host: string; count: number }[]): string =>
  hosts.map(({ host, count }) => `${host} × ${count}`).join(', ');

const refusal: Describe = ({ url, file, rule, suppressed, hosts }) => {
  if (typeof suppressed === 'number')
    return line(`${suppressed} more blocked`, Array.isArray(hosts) ? hostsOf(hosts) : undefined, 'bad');
  const what = file === undefined ? 'Blocked by policy' : 'File blocked by policy';
  return line(`${what} (${asWords(rule)})`, url ?? file, 'bad');
};

const consoleError: Describe = ({ kind, text: said, suppressed }) => {
  if (typeof suppressed === 'number') return line(`${suppressed} more console errors, not listed`);
  return line(kind === 'uncaught' ? 'Uncaught error' : 'Console error', said, 'bad');
};

const dialogOpened: Describe = ({ type, message, suppressed }) =>
  typeof suppressed === 'number'
    ? line(`${suppressed} more dialogs, not listed`)
    : line(`Dialog (${asWords(type)}) opened`, message, 'busy');

const limited: Describe = ({ limit, message, suppressed }) =>
  typeof suppressed === 'number'
    ? line(`${suppressed} more limits reached, not listed`)
    : line(`Limit reached: ${asWords(limit)}`, message, 'bad');

const tabOpened: Describe = ({ url, suppressed }) =>
  typeof suppressed === 'number' ? line(`${suppressed} more tabs, not listed`) : line('Tab opened', url);

const tabCrashed: Describe = ({ url, reason, suppressed }) =>
  typeof suppressed === 'number'
    ? line(`${suppressed} more crashes, not listed`)
    : line(text(reason) ? `Tab crashed: ${text(reason)}` : 'Tab crashed', url, 'bad');

const captcha = (says: string, tone: Tone): Describe => {
  return ({ type, reason }) => line(`${says}: ${asWords(type)}`, reason, tone);
};

const profile =
  (says: string, tone: Tone): Describe =>
  ({ name, version }) =>
    line(`${says} (version ${version})`, name, tone);

const descriptions: Record<api.EventType, readonly [Kind, Describe]> = {
  'browser.created': ['status', plain('Created')],
  'browser.ready': ['status', (data) => line('Ready', lost(data), 'good')],
  'browser.stopping': ['status', plain('Stopping')],
  'browser.stopped': ['status', ({ reason }) => line('Stopped, state kept', reason)],
  'browser.resuming': ['status', plain('Resuming', 'busy')],
  'browser.recovering': ['status', ({ reason }) => line('Recovering', reason, 'busy')],
  'browser.recovered': ['status', (data) => line('Recovered', lost(data), 'good')],
  'browser.closing': ['status', ({ reason }) => line('Closing', reason)],
  'browser.closed': ['status', ({ reason }) => line('Closed', reason)],
  'browser.failed': ['status', ({ reason }) => line('Failed', reason, 'bad')],
  'browser.start_page_failed': ['page', ({ message }) => line('Start page failed', message, 'bad')],
  'browser.handoff': ['person', handoff],
  'browser.limited': ['status', limited],
  'tab.opened': ['page', tabOpened],
  'tab.closed': ['page', ({ url }) => line('Tab closed', url)],
  'tab.navigated': ['page', ({ url }) => line('Went to', url)],
  'tab.crashed': ['page', tabCrashed],
  'script.started': ['script', plain('Script started', 'busy')],
  'script.completed': ['script', plain('Script finished', 'good')],
  'script.failed': ['script', ({ code }) => line('Script failed', code, 'bad')],
  'computer.completed': ['script', ({ actions }) => line('Screen used', stepsOf(actions), 'good')],
  'computer.failed': [
    'script',
    ({ code, actions }) => line(`Screen use failed: ${code}`, stepsOf(actions), 'bad'),
  ],
  'download.started': [
    'download',
    ({ suggestedFilename }) => line('Download started', suggestedFilename, 'busy'),
  ],
  'download.completed': [
    'download',
    ({ suggestedFilename }) => line('Downloaded', suggestedFilename, 'good'),
  ],
  'download.failed': [
    'download',
    ({ suggestedFilename, reason }) => line(`Download failed: ${asWords(reason)}`, suggestedFilename, 'bad'),
  ],
  'dialog.opened': ['dialog', dialogOpened],
  'dialog.closed': [
    'dialog',
    ({ type, state, message }) => line(`Dialog (${asWords(type)}) ${asWords(state)}`, message),
  ],
  'recording.ready': ['recording', plain('Recording ready', 'good')],
  'recording.failed': ['recording', ({ reason }) => line('Recording failed', reason, 'bad')],
  'captcha.detected': ['captcha', captcha('CAPTCHA found', 'busy')],
  'captcha.solved': ['captcha', captcha('CAPTCHA solved', 'good')],
  'captcha.failed': ['captcha', captcha('CAPTCHA not solved', 'bad')],
  'captcha.needs_human': ['captcha', captcha('CAPTCHA needs a person', 'busy')],
  'policy.blocked': ['refused', refusal],
  'consent.declined': [
    'page',
    ({ maker, hidden }) => line(hidden ? 'Cookie banner hidden' : 'Cookie banner declined', maker),
  ],
  'consent.failed': ['page', ({ maker }) => line('Cookie banner not declined', maker, 'warning')],
  'console.error': ['console', consoleError],
  'capability.issued': [
    'access',
    ({ kind, mode, recordId }) => {
      if (kind === 'content') return line('Address of content issued', recordId);
      return line(kind === 'cdp' ? 'CDP address issued' : `Live address issued (${asWords(mode)})`);
    },
  ],
  'file.address_issued': ['access', ({ fileId }) => line('Address of a file issued', fileId)],
  'network.revealed': [
    'access',
    ({ what }) => line(what === 'har' ? 'HAR with credentials made' : 'Credentials of a request shown'),
  ],
  'secret.used': ['access', ({ name, origin }) => line('Secret typed', `${name} at ${origin}`)],
  'profile.created': ['access', ({ name }) => line('Profile created', name)],
  'profile.saved': ['status', profile('Saved into the profile', 'good')],
  'profile.save_failed': ['status', ({ reason }) => line('Not saved into the profile', reason, 'bad')],
  'profile.restored': ['access', profile('Profile restored', 'calm')],
  'profile.exported': ['access', profile('Profile exported', 'warning')],
  'profile.deleted': ['access', ({ name }) => line('Profile deleted', name)],
  'profile.signed_out': ['person', ({ name }) => line('Profile is signed out', name, 'bad')],
  'job.started': ['script', ({ name }) => line('Job started', name)],
  'job.completed': ['script', ({ name }) => line('Job finished', name, 'good')],
  'job.cancelled': ['script', ({ name }) => line('Job cancelled', name)],
  'job.failed': ['script', ({ code }) => line('Job failed', code, 'bad')],
  'quick.completed': ['script', plain('Quick action finished', 'good')],
  'quick.failed': ['script', ({ code }) => line('Quick action failed', code, 'bad')],
};

export function describeEvent({ type, data }: Pick<api.Event, 'type' | 'data'>): EventText {
  const known = descriptions[type] as (typeof descriptions)[api.EventType] | undefined;
  // a newer service may send event types that this page does not know
  if (!known) return { kind: 'status', tone: 'calm', says: type };
  const [kind, describe] = known;
  return { kind, ...describe(data) };
}
