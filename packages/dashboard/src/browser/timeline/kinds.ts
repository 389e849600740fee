import type { IconName } from '../../parts/icon.tsx';
import type { Kind } from './event-words.ts';

/** The kinds of events as they are named and drawn, in the order of their filters. */
export const kinds: Record<Kind, { label: string; icon: IconName }> = {
  script: { label: 'Scripts', icon: 'script' },
  page: { label: 'Pages', icon: 'browsers' },
  person: { label: 'People', icon: 'person' },
  captcha: { label: 'Captchas', icon: 'puzzle' },
  dialog: { label: 'Dialogs', icon: 'speech' },
  download: { label: 'Downloads', icon: 'download' },
  refused: { label: 'Refused', icon: 'shield' },
  console: { label: 'Console', icon: 'warning' },
  recording: { label: 'Recordings', icon: 'record' },
  status: { label: 'Status', icon: 'health' },
  access: { label: 'Access', icon: 'keys' },
};

/** Opening this page issues addresses: true, but not what one comes to read. */
export const hiddenAtFirst: readonly Kind[] = ['access'];
