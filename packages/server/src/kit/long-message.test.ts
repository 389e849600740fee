import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LongMessage } from './long-message.ts';

test('a message is what its pieces were, whether or not its length was known', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), fc.boolean(), (pieces, isKnown) => {
      const bytes = Buffer.concat(pieces);
      const message = isKnown ? new LongMessage(bytes.length) : new LongMessage(1);
      for (const piece of pieces) message.add(Buffer.from(piece));
      expect(message.length).toBe(bytes.length);
      expect(message.whole().equals(bytes)).toBe(true);
    }),
  );
});

test('the memory of a piece goes back as soon as it is copied, and a part of a larger memory stays', () => {
  const message = new LongMessage();
  const own = Buffer.allocUnsafeSlow(64 * 1024).fill('a');
  const larger = Buffer.allocUnsafeSlow(64 * 1024).fill('b');
  message.add(own);
  message.add(larger.subarray(0, 32 * 1024));
  expect(own.length).toBe(0);
  expect(larger.length).toBe(64 * 1024);
  expect(String(message.whole())).toBe('a'.repeat(64 * 1024) + 'b'.repeat(32 * 1024));
});
