import type { api } from '@browserd/sdk';

export type Tone = 'good' | 'busy' | 'calm' | 'bad' | 'warning';

/** A state in a word; the colour only helps. */
export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}

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
