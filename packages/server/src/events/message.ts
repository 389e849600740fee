/** What a webhook is sent, in the shape of Standard Webhooks: `{ type, timestamp, data }`. */
import { iso } from '../kit/clock.ts';
import { newId } from '../kit/id.ts';
import type { DeliveryRecord, EventRecord } from '../store/records.ts';
import { eventView } from './event-view.ts';

type Receiver = Pick<DeliveryRecord, 'webhookId' | 'projectId'>;

export interface Message {
  id: string;
  type: string;
  body: string;
}

const messageOf = (id: string, type: string, at: number, data: unknown): Message => ({
  id,
  type,
  body: JSON.stringify({ type, timestamp: iso(at), data }),
});

export const eventMessage = (event: EventRecord): Message =>
  messageOf(event.id, event.type, event.at, eventView(event));

/** What a webhook of one job is told of it. */
export const jobDelivery = (to: Receiver, type: string, at: number, job: unknown): DeliveryRecord =>
  deliveryOf(to, messageOf(newId('event'), type, at, job));

/** Carries no data; shows that the webhook can be reached. */
export const testMessage = (webhookId: string): Message =>
  messageOf(newId('event'), 'webhook.test', Date.now(), { webhookId });

export const deliveryOf = (to: Receiver, { id, type, body }: Message): DeliveryRecord => {
  const now = Date.now();
  return {
    id: newId('delivery'),
    ...to,
    messageId: id,
    eventType: type,
    body,
    state: 'pending',
    tries: 0,
    attempts: [],
    createdAt: now,
    nextAt: now,
    claimedBy: null,
  };
};
