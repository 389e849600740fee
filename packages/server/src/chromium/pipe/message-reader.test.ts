import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MessageReader, MessageTooLargeError } from './message-reader.ts';

function reader(limitBytes: number): { push(text: string): void; messages: string[] } {
  const messages: string[] = [];
  const own = new MessageReader(limitBytes);
  const push = (text: string): void => {
    for (const message of own.read(Buffer.from(text))) messages.push(message.toString());
  };
  return { push, messages };
}

test('messages come out whole, however the pipe cuts them', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{0,9}$/)), fc.integer({ min: 1, max: 7 }), (sent, size) => {
      const { push, messages } = reader(1000);
      const bytes = sent.map((text) => `${text}\0`).join('');
      for (let at = 0; at < bytes.length; at += size) push(bytes.slice(at, at + size));
      expect(messages).toEqual(sent);
    }),
  );
});

test('a long message comes out whole, and the memory that brought it goes back', () => {
  const messages = ['before', 'x'.repeat(3e6), 'y'.repeat(300_000), 'behind'];
  const bytes = Buffer.from(messages.map((text) => `${text}\0`).join(''));
  const own = new MessageReader(4e6);
  const out: string[] = [];
  let kept = 0;
  for (let at = 0; at < bytes.length; at += 65_536) {
    const chunk = Buffer.allocUnsafeSlow(Math.min(65_536, bytes.length - at));
    bytes.copy(chunk, 0, at);
    for (const message of own.read(chunk)) out.push(String(message));
    if (chunk.length > 0) kept++;
  }
  expect(out).toEqual(messages);
  // Those in which a message begins or ends, and those before it was known to be long.
  expect(kept).toBeLessThan(15);
});

test('a message of the limit passes, and one byte more ends it before the end is there', () => {
  const { push, messages } = reader(8);
  push('12345678\0');
  expect(messages).toEqual(['12345678']);
  push('1234');
  push('5678');
  expect(() => push('9')).toThrow(MessageTooLargeError);
});

test('each message has the whole limit to itself', () => {
  const { push, messages } = reader(4);
  push('1234\x001234\x0012');
  push('34\0');
  expect(messages).toEqual(['1234', '1234', '1234']);
});

test('an event of the network that is too large is left out for the service, and ends Chromium for a client', () => {
  const event = (sessionId: string): string =>
    `${JSON.stringify({ method: 'Network.webSocketFrameSent', params: { payload: 'x'.repeat(2000) }, sessionId })}\0`;
  const [own, client] = ['A'.repeat(32), 'B'.repeat(32)];
  const messages: string[] = [];
  const read = new MessageReader(1000, (sessionId) => sessionId === client);
  const push = (text: string): void => {
    for (let at = 0; at < text.length; at += 300)
      for (const message of read.read(Buffer.from(text.slice(at, at + 300)))) messages.push(String(message));
  };
  push(`before\0${event(own)}after\0`);
  expect(messages).toEqual(['before', 'after']);
  expect(() => push(event(client))).toThrow(MessageTooLargeError);
});
