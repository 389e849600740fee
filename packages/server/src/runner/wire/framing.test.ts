import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesFrames, FrameReader, frame, isDeeperThan, limits, WireError } from './framing.ts';

describe('frames', () => {
  test('come out as they went in, however the bytes are cut', () => {
    const bytes = fc.uint8Array({ maxLength: 300 });
    fc.assert(
      fc.property(
        fc.array(bytes, { maxLength: 10 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
        (bodies, cuts) => {
          const out: Buffer[] = [];
          const reader = new FrameReader(300, (body) => out.push(body));
          const all = Buffer.concat(bodies.map((body) => frame(body)));
          for (let at = 0, turn = 0; at < all.length; turn++) {
            const length = cuts[turn % cuts.length] ?? 1;
            reader.push(all.subarray(at, at + length));
            at += length;
          }
          expect(out.map((body) => [...body])).toEqual(bodies.map((body) => [...body]));
        },
      ),
    );
  });

  test('too long are refused by their head alone', () => {
    const reader = new FrameReader(10, () => undefined);
    expect(() => reader.push(Buffer.from([11, 0, 0, 0]))).toThrow(WireError);
  });

  test('large bytes are cut into pieces', () => {
    const sizes = [...bytesFrames(Buffer.alloc(2 * limits.chunk + 1))].map((each) => each.length - 5);
    expect(sizes).toEqual([limits.chunk, limits.chunk, 1]);
    expect([...bytesFrames(Buffer.alloc(0))]).toEqual([]);
  });
});

describe('the depth of JSON', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

  test('is told without parsing it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const json = Buffer.from(JSON.stringify(value));
        const depth = depthOf(value);
        expect(isDeeperThan(json, depth)).toBe(false);
        if (depth > 0) expect(isDeeperThan(json, depth - 1)).toBe(true);
      }),
    );
  });
});
