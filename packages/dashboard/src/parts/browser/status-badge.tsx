/** The status of a browser as a badge. */
import type { api } from '@browserd/sdk';
import { Badge, type Tone } from '../notices/notices.ts';

const tones: Record<api.BrowserStatus, Tone> = {
  creating: 'busy',
  ready: 'good',
  stopping: 'busy',
  stopped: 'calm',
  resuming: 'busy',
  recovering: 'warning',
  closing: 'busy',
  closed: 'calm',
  failed: 'bad',
};

export function StatusBadge({ status }: { status: api.BrowserStatus }) {
  return <Badge tone={tones[status]}>{status}</Badge>;
}
