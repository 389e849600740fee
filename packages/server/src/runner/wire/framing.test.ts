import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LongMessage } from '../../kit/long-message.ts';
import { bytesFrames, FrameReader, frame, limits, WireError } from './framing.ts';

const gather = (bytes: number): LongMessage => new LongMessage(bytes);

describe('frames', () => {
  test('come out as they went in, however the bytes are cut', () => {
    const bytes = fc.uint8Array({ maxLength: 300 });
    fc.assert(
      fc.property(
        fc.array(bytes, { maxLength: 10 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
        (bodies, cuts) => {
          const out: Buffer[] = [];
          const reader = new FrameReader(300);
          const all = Buffer.concat(bodies.map((body) => frame(body)));
          for (let at = 0, turn = 0; at < all.length; turn++) {
            const length = cuts[turn % cuts.length] ?? 1;
            out.push(...reader.read(all.subarray(at, at + length)));
            at += length;
          }
          expect(out.map((body) => [...body])).toEqual(bodies.map((body) => [...body]));
        },
      ),
    );
  });

  test('of many chunks come out as they went in, with what is before and behind them', () => {
    const bodies = [
      Buffer.from('before'),
      Buffer.alloc(3 * limits.chunk, 'long'),
      Buffer.from('behind'),
      Buffer.alloc(limits.chunk, 'x'),
    ];
    const all = Buffer.concat(bodies.map((body) => frame(body)));
    const reader = new FrameReader(4 * limits.chunk, gather);
    const out: Buffer[] = [];
    for (const size of [997, 64 * 1024, 10 * 1024 ** 2]) {
      out.length = 0;
      for (let at = 0; at < all.length; at += size) {
        const chunk = Buffer.allocUnsafeSlow(Math.min(size, all.length - at));
        all.copy(chunk, 0, at);
        out.push(...reader.read(chunk));
      }
      expect(out.map((body, n) => body.equals(bodies[n] as Buffer))).toEqual([true, true, true, true]);
    }
  });

  test('that end with a chunk are there at once', () => {
    const reader = new FrameReader(limits.chunk, gather);
    const whole = frame(Buffer.alloc(limits.chunk, 'x'));
    expect([...reader.read(Buffer.from(whole.subarray(0, 100)))]).toEqual([]);
    expect([...reader.read(Buffer.from(whole.subarray(100)))].map(({ length }) => length)).toEqual([
      limits.chunk,
    ]);
    expect([...reader.read(frame(Buffer.from('next')))].map(String)).toEqual(['next']);
  });

  test('too long are refused by their head alone', () => {
    const reader = new FrameReader(10);
    expect(() => [...reader.read(Buffer.from([11, 0, 0, 0]))]).toThrow(WireError);
  });

  test('large bytes are cut into pieces', () => {
    const sizes = [...bytesFrames(Buffer.alloc(2 * limits.chunk + 1))].map((each) => each.length - 5);
    expect(sizes).toEqual([limits.chunk, limits.chunk, 1]);
    expect([...bytesFrames(Buffer.alloc(0))]).toEqual([]);
  });
});
