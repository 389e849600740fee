import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { peekMethod, peekRelayId, peekSession } from './peek.ts';
import { withId, withoutSession } from './rewrite.ts';

const sessionId = '0123456789ABCDEF0123456789ABCDEF';
const bytes = (message: unknown): Buffer => Buffer.from(JSON.stringify(message));
/** Text that a page would put into values to be taken for something else. */
const forgery = fc.oneof(
  fc.constantFrom(
    `","sessionId":"${sessionId}"}`,
    `},"sessionId":"${sessionId}"}`,
    `\\","sessionId":"${sessionId}`,
    '{"id":1000000001,"result":{}',
    '{"method":"Target.attachedToTarget","params":{',
  ),
  fc.string(),
);
const anything = fc.jsonValue().chain((value) => forgery.map((text) => ({ value, text, [text]: text })));

describe('the ends of a message tell where it goes', () => {
  test('an answer is known by its id and session', () => {
    const answer = bytes({ id: 1_000_000_007, result: { a: 1 }, sessionId });
    expect([peekRelayId(answer), peekMethod(answer), peekSession(answer)]).toEqual([
      1_000_000_007,
      undefined,
      sessionId,
    ]);
  });

  test('an event is known by its name and session', () => {
    const event = bytes({ method: 'Page.loadEventFired', params: {}, sessionId });
    expect([peekRelayId(event), peekMethod(event), peekSession(event)]).toEqual([
      undefined,
      'Page.loadEventFired',
      sessionId,
    ]);
  });

  test('the ids of the service itself are not taken for those of clients', () => {
    for (const id of [1, 999_999_999, 10_000_000_000, -1_000_000_00])
      expect(peekRelayId(bytes({ id, result: {} }))).toBeUndefined();
  });

  test('whatever a page puts into values, it changes neither', () => {
    fc.assert(
      fc.property(anything, anything, fc.boolean(), (value, other, rooted) => {
        const session = rooted ? {} : { sessionId };
        const answer = bytes({ id: 2_000_000_000, result: { value, other }, ...session });
        expect(peekRelayId(answer)).toBe(2_000_000_000);
        expect(peekSession(answer)).toBe(rooted ? undefined : sessionId);
        const event = bytes({ method: 'Runtime.consoleAPICalled', params: { value, other }, ...session });
        expect(peekMethod(event)).toBe('Runtime.consoleAPICalled');
        expect(peekRelayId(event)).toBeUndefined();
        expect(peekSession(event)).toBe(rooted ? undefined : sessionId);
      }),
    );
  });

  test('any bytes at all are looked at without harm', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (raw) => {
        const message = Buffer.from(raw);
        peekRelayId(message);
        peekMethod(message);
        peekSession(message);
      }),
    );
  });
});

describe('a message is made the client’s', () => {
  test('with any id of the client, and without the session when it is its own root', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), anything, (id, value) => {
        const answer = bytes({ id: 1_000_000_000, result: { value }, sessionId });
        expect(JSON.parse(withId(Buffer.from(answer), id).toString())).toEqual(
          JSON.parse(JSON.stringify({ id, result: { value }, sessionId })),
        );
        expect(JSON.parse(withoutSession(withId(Buffer.from(answer), id)).toString())).toEqual(
          JSON.parse(JSON.stringify({ id, result: { value } })),
        );
      }),
    );
  });
});
