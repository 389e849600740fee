import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inPage, inPicture, screenOf } from './screen.ts';

const side = fc.integer({ min: 16, max: 4000 });
const view = fc.record({ width: side, height: side, left: fc.constant(0), top: fc.constant(0) });
const scale = fc.oneof(
  fc.constant(undefined),
  fc.record({ maxSide: side }),
  fc.record({ width: side, height: side }),
);
const part = fc.double({ min: 0, max: 0.999, noNaN: true });

test('a place in the picture leads to one in the page, and back to itself', () => {
  fc.assert(
    fc.property(view, scale, part, part, (page, wanted, right, down) => {
      const screen = screenOf(page, wanted);
      const css = { x: page.width * right, y: page.height * down };
      const found = inPage(screen, inPicture(screen, css), 'pixels');
      expect(found?.x).toBeCloseTo(Math.min(css.x, page.width - 1 / 1024), 6);
      expect(found?.y).toBeCloseTo(Math.min(css.y, page.height - 1 / 1024), 6);
    }),
  );
});

test('every pixel of the picture lies in the page, and none outside it does', () => {
  fc.assert(
    fc.property(view, scale, part, part, (page, wanted, right, down) => {
      const screen = screenOf(page, wanted);
      const pixel = { x: Math.floor(screen.width * right), y: Math.floor(screen.height * down) };
      const found = inPage(screen, pixel, 'pixels');
      expect(found).toBeDefined();
      expect((found?.x ?? page.width) < page.width && (found?.y ?? page.height) < page.height).toBe(true);
      expect(
        inPage(screen, { x: screen.width + 2 * Math.max(1, screen.factor), y: 0 }, 'pixels'),
      ).toBeUndefined();
      expect(inPage(screen, { x: -1, y: 0 }, 'pixels')).toBeUndefined();
      expect(inPage(screen, { x: 0, y: Number.NaN }, 'pixels')).toBeUndefined();
    }),
  );
});

test('a picture is never longer than it may be, and has the proportions of the page', () => {
  fc.assert(
    fc.property(view, side, (page, maxSide) => {
      const { width, height } = screenOf(page, { maxSide });
      expect(Math.max(width, height)).toBeLessThanOrEqual(Math.max(maxSide, 1));
      expect(Math.abs(width / page.width - height / page.height)).toBeLessThanOrEqual(
        1 / Math.min(page.width, page.height),
      );
    }),
  );
});
