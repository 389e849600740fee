/** Between a webhook and its row, in which its secret is sealed. */
import type { Sealing } from '../../sealing/sealing.ts';
import { aboutOf, type Database, openText, rowShape, sealText } from '../databases/databases.ts';
import type { WebhookRecord } from '../records.ts';

export const webhookShape = rowShape<WebhookRecord, 'events'>('events');

export const sealWebhook = (sealing: Sealing, record: WebhookRecord): Database['webhooks'] => ({
  ...webhookShape.toRow(record),
  secret: sealText(sealing, record.secret, aboutOf.webhook(record.id)),
});

export const openWebhook = (sealing: Sealing, row: Database['webhooks']): WebhookRecord => ({
  ...webhookShape.toRecord(row),
  secret: openText(sealing, row.secret, aboutOf.webhook(row.id)),
});
