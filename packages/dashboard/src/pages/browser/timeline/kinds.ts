/** The kinds of events: label and icon, in the order of the filters. */
import type { IconName } from '../../../parts/controls/controls.ts';
import type { Kind } from './event-text.ts';

export const kinds: Record<Kind, { label: string; icon: IconName }> = {
  script: { label: 'Scripts', icon: 'script' },
  page: { label: 'Pages', icon: 'browsers' },
  person: { label: 'People', icon: 'person' },
  captcha: { label: 'CAPTCHAs', icon: 'puzzle' },
  dialog: { label: 'Dialogs', icon: 'speech' },
  download: { label: 'Downloads', icon: 'download' },
  refused: { label: 'Blocked', icon: 'shield' },
  console: { label: 'Console', icon: 'warning' },
  recording: { label: 'Recordings', icon: 'record' },
  status: { label: 'Status', icon: 'health' },
  access: { label: 'Access', icon: 'keys' },
};

/** Opening this page issues addresses, and those events would be noise. */
export const hiddenAtFirst: readonly Kind[] = ['access'];
