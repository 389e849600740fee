/** The status of a job as a badge. */
import type { api } from '@browserd/sdk';
import { Badge, type Tone } from '../notices/notices.ts';

const tones: Record<api.Job['status'], Tone> = {
  queued: 'calm',
  running: 'busy',
  completed: 'good',
  cancelled: 'warning',
  failed: 'bad',
};

export function JobStatus({ status }: { status: api.Job['status'] }) {
  return <Badge tone={tones[status]}>{status}</Badge>;
}
