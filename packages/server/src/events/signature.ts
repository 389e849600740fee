/** Signatures after Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256 over id, time and body. */
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64');

export const webhookSecretPattern =
  /^whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function signedHeaders(
  secret: string,
  message: { id: string; body: string },
  at: number,
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const signature = createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(`${message.id}.${timestamp}.${message.body}`)
    .digest('base64');
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
