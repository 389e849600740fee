/**
 * Standard Webhooks, for the receiver: whether a delivery comes from the service that has the secret, and is recent.
 *
 *   signature = base64(HMAC-SHA256(secret, `${webhook-id}.${webhook-timestamp}.${body}`))
 */
import { BrowserdError, invalidArgument } from './errors.ts';
import type { Event } from './generated/schemas.ts';

export interface Delivered {
  /** As received, before any parser: a body that was parsed and serialised again has another signature. */
  body: string | Uint8Array;
  headers: Pick<Headers, 'get'> | Record<string, string | string[] | undefined>;
  /** `whsec_…`, from the answer that created the webhook. */
  secret: string;
  /** How far the time stamp may be off, in either direction. 300 unless given. */
  toleranceSeconds?: number;
}

/** `data` is the event; deliveries come at least once, so detect repetitions by its `id`. */
export type WebhookMessage =
  | { type: Event['type']; timestamp: string; data: Event }
  | { type: 'webhook.test'; timestamp: string; data: { webhookId: string } };

export async function verifyWebhook({
  body,
  headers,
  secret,
  toleranceSeconds = 300,
}: Delivered): Promise<WebhookMessage> {
  const read = headerReader(headers);
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(read);
  if (!id || !timestamp || !signatures)
    throw refused('It lacks webhook-id, webhook-timestamp or webhook-signature.');
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= toleranceSeconds))
    throw refused(`Its time stamp is more than ${toleranceSeconds} seconds off.`);
  const key = await hmacKey(secret);
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const signature of signatures.split(' ')) {
    const bytes = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : undefined;
    // compares in constant time
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return messageIn(text);
  }
  throw refused('No signature fits the secret. Is it the secret of this webhook, and the body as it came?');
}

function messageIn(text: string): WebhookMessage {
  try {
    return JSON.parse(text) as WebhookMessage;
  } catch {
    throw refused('It is signed, but not JSON.');
  }
}

async function hmacKey(secret: string): Promise<CryptoKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (!bytes?.length)
    throw invalidArgument('The secret of the webhook is not one: it looks like whsec_ and base64.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

const headerReader =
  (headers: Delivered['headers']) =>
  (name: string): string | undefined => {
    if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
    const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
    return Array.isArray(found) ? found[0] : found;
  };

const refused = (why: string): BrowserdError =>
  new BrowserdError(
    {
      code: 'WEBHOOK_REFUSED',
      message: `This webhook delivery cannot be trusted. ${why}`,
      category: 'authentication',
      nextStep: 'fix_request',
    },
    0,
  );
