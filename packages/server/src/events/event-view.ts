/** An event as lists, streams and webhooks show it. */
import { iso } from '../kit/clock.ts';
import type { EventRecord } from '../store/records.ts';
import type { BrowserEvent } from './schema.ts';

export const eventView = ({ id, type, browserId, at, seq, data }: EventRecord): BrowserEvent => ({
  id,
  type: type as BrowserEvent['type'],
  browserId,
  at: iso(at),
  seq,
  data,
});
