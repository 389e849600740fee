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
