import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { eventPatterns, eventTypes, fits, typesOf } from './event-types.ts';
import { isBeyondHope, pauseAfter } from './retries.ts';
import { newWebhookSecret, signedHeaders, webhookSecretPattern } from './signature.ts';

describe('a signature', () => {
  test('is what the receivers of Standard Webhooks expect, whatever the body', () => {
    fc.assert(
      fc.property(fc.json(), fc.uint8Array({ minLength: 24, maxLength: 64 }), (body, bytes) => {
        const secret = `whsec_${Buffer.from(bytes).toString('base64')}`;
        expect(secret).toMatch(webhookSecretPattern);
        const headers = signedHeaders(secret, { id: 'event_1', body }, Date.now());
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
      }),
    );
  });

  test('of another secret, id or body is refused', () => {
    const [secret, other] = [newWebhookSecret(), newWebhookSecret()];
    const headers = signedHeaders(secret, { id: 'event_1', body: '{}' }, Date.now());
    expect(() => new Webhook(other).verify('{}', headers)).toThrow();
    expect(() => new Webhook(secret).verify('{ }', headers)).toThrow();
    expect(() => new Webhook(secret).verify('{}', { ...headers, 'webhook-id': 'event_2' })).toThrow();
  });

  test.each(['whsec_', 'whsec_short', `whsec_${'A'.repeat(31)}`, `whsec_${'A'.repeat(100)}`, 'secret'])(
    'is not made with %s',
    (text) => expect(text).not.toMatch(webhookSecretPattern),
  );
});

describe('the pause after a failure', () => {
  const schedule = [1000, 5000];
  test('follows the schedule, spread a little, and ends with it', () => {
    expect(pauseAfter(1, schedule, {}, () => 0)).toBe(900);
    expect(pauseAfter(1, schedule, {}, () => 1)).toBe(1100);
    expect(pauseAfter(2, schedule, {}, () => 0.5)).toBe(5000);
    expect(pauseAfter(3, schedule, {})).toBeUndefined();
  });

  test('is longer when the receiver asks for it, within reason, and never shorter', () => {
    const middle = () => 0.5;
    expect(pauseAfter(1, schedule, { retryAfter: '60' }, middle)).toBe(60_000);
    expect(pauseAfter(1, schedule, { retryAfter: '0' }, middle)).toBe(1000);
    expect(pauseAfter(1, schedule, { retryAfter: '999999999' }, middle)).toBe(86_400_000);
    expect(pauseAfter(1, schedule, { retryAfter: 'soon' }, middle)).toBe(1000);
    const inAMinute = new Date(Date.now() + 60_000).toUTCString();
    expect(pauseAfter(1, schedule, { retryAfter: inAMinute }, middle)).toBeGreaterThan(50_000);
  });

  test('comes to an end for good after a whole round of failures', () => {
    expect(isBeyondHope(5000, schedule)).toBe(false);
    expect(isBeyondHope(6000, schedule)).toBe(true);
  });
});

describe('a filter of types', () => {
  test('takes types, groups and everything; an empty one is everything', () => {
    expect(typesOf(['tab.*', 'policy.blocked'])).toEqual([
      'tab.opened',
      'tab.closed',
      'tab.navigated',
      'tab.crashed',
      'policy.blocked',
    ]);
    for (const all of [undefined, [], ['*'], ['browser.closed', '*']]) expect(typesOf(all)).toBeUndefined();
    for (const type of eventTypes) expect(fits([type], type)).toBe(true);
    expect(fits(['browser.*'], 'tab.opened')).toBe(false);
    expect(fits(['browser.*'], 'webhook.test')).toBe(false);
    expect(new Set(eventPatterns).size).toBe(eventPatterns.length);
  });
});
