import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entriesOf } from './storage-entries.ts';

const answer = (result: unknown): Buffer =>
  Buffer.from(JSON.stringify({ id: 1_000_000_007, result, sessionId: '0123456789ABCDEF0123456789ABCDEF' }));

test('entries come out as Chromium wrote them, whatever a page put into them', () => {
  const tricky = fc.oneof(fc.string(), fc.constant('},"sessionId":"'), fc.constant('"result":{"entries":'));
  fc.assert(
    fc.property(fc.array(fc.tuple(tricky, tricky)), (entries) => {
      expect(JSON.parse(String(entriesOf(answer({ entries }))))).toEqual(entries);
    }),
  );
});

test('an answer that is none gives nothing', () => {
  expect(entriesOf(Buffer.from('{"id":1000000007,"error":{"code":-32000,"message":"no"}}'))).toBeUndefined();
  expect(entriesOf(answer({}))).toBeUndefined();
});
