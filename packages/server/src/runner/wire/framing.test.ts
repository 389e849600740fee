import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesFrames, FrameReader, frame, limits, WireError } from './framing.ts';

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
