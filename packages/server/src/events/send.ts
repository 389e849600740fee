/** One attempt of one delivery: posted, and settled as delivered, failed, or pending with a later time. */
import type { Log } from '../kit/log.ts';
import type { DeliveryRecord, Store, WebhookRecord } from '../store/records.ts';
import { type Answered, isBeyondHope, isGone, isTaken, pauseAfter } from './retries.ts';
import { signedHeaders } from './signature.ts';

export type Post = (
  url: string,
  message: {
    headers: Record<string, string>;
    body: string;
    timeoutMs: number;
    signal: AbortSignal;
    /** Whose message it is. */
    of: string;
  },
) => Promise<{ status: number; headers: Record<string, string | string[] | undefined> }>;

export interface SendParts {
  store: Store;
  log: Log;
  nodeId: string;
  post: Post;
  /** Pauses between the attempts of a round. */
  retriesMs: readonly number[];
  userAgent: string;
  /** Cuts attempts off: the service ends. */
  hurry: AbortSignal;
}

const answerMs = 15_000;
const attemptsKept = 30;
const longestError = 300;

export async function send(
  parts: SendParts,
  webhook: WebhookRecord,
  delivery: DeliveryRecord,
): Promise<void> {
  const { store, post, nodeId, retriesMs, userAgent, hurry } = parts;
  if (hurry.aborted) return;
  const at = Date.now();
  const { messageId: id, body } = delivery;
  let answer: Answered = {};
  let failure: string | undefined;
  try {
    const { status, headers } = await post(webhook.url, {
      headers: {
        'content-type': 'application/json',
        'user-agent': userAgent,
        ...signedHeaders(webhook.secret, { id, body }, at),
      },
      body,
      timeoutMs: answerMs,
      signal: hurry,
      of: webhook.projectId,
    });
    answer = { status, retryAfter: String(headers['retry-after'] ?? '') };
    if (!isTaken(answer)) failure = `answered with ${status}`;
  } catch (error) {
    // The next start sends it: an attempt that the service itself cut off does not count.
    if (hurry.aborted) return;
    failure = error instanceof Error ? error.message.slice(0, longestError) : String(error);
  }
  const tries = delivery.tries + 1;
  const attempt = { at, durationMs: Date.now() - at, statusCode: answer.status, error: failure };
  const pause = isGone(answer) ? undefined : pauseAfter(tries, retriesMs, answer);
  const state = isTaken(answer) ? 'delivered' : pause === undefined ? 'failed' : 'pending';
  await store.deliveries.settle(delivery.id, nodeId, {
    state,
    tries,
    attempts: [...delivery.attempts, attempt].slice(-attemptsKept),
    nextAt: state === 'pending' ? Date.now() + (pause ?? 0) : null,
  });
  // That of a job has this one message.
  if (webhook.jobId === null) await noteHealth(parts, webhook, answer, state === 'failed');
}

/**
 * A webhook that has accepted nothing for as long as a delivery is tried, or answers that it is gone, is disabled.
 */
async function noteHealth(
  { store, log, retriesMs }: SendParts,
  { id, projectId }: WebhookRecord,
  answer: Answered,
  gaveUp: boolean,
): Promise<void> {
  const webhook = await store.webhooks.get(id);
  if (!webhook || webhook.disabledAt !== null) return;
  const now = Date.now();
  if (isTaken(answer)) {
    if (webhook.failingSince !== null) await store.webhooks.change(id, projectId, { failingSince: null });
    return;
  }
  const failingSince = webhook.failingSince ?? now;
  const hopeless = gaveUp && isBeyondHope(now - failingSince, retriesMs);
  if (!isGone(answer) && !hopeless) {
    if (webhook.failingSince === null) await store.webhooks.change(id, projectId, { failingSince });
    return;
  }
  const disabledReason = isGone(answer)
    ? 'the receiver answered 410 Gone'
    : `no delivery has succeeded since ${new Date(failingSince).toISOString()}`;
  await store.webhooks.change(id, projectId, { failingSince, disabledAt: now, disabledReason });
  log.warn({ webhookId: id, projectId, reason: disabledReason }, 'webhook.disabled');
}
