import { expect, test } from 'vitest';
import { type Area, areaOf as anyAreaOf, type TallArea } from './area.ts';
import { defaultPicture } from './schema.ts';

const areaOf = (...given: Parameters<typeof anyAreaOf>): Area => anyAreaOf(...given) as Area;

const measures = {
  scale: 1,
  view: { x: 0, y: 500, width: 1280, height: 720 },
  page: { width: 1280, height: 3000 },
};
const clip = (x: number, y: number, width: number, height: number) => ({
  ...defaultPicture,
  clip: { x, y, width, height },
});

test('what shows is drawn as it is, the rest beyond the viewport', () => {
  expect(areaOf(defaultPicture, measures)).toEqual({});
  expect(areaOf(clip(10, 500, 100, 720), measures).captureBeyondViewport).toBe(false);
  expect(areaOf(clip(10, 499, 100, 720), measures).captureBeyondViewport).toBe(true);
  expect(areaOf({ ...defaultPicture, fullPage: true }, measures)).toEqual({
    clip: { x: 0, y: 0, width: 1280, height: 3000, scale: 1 },
    captureBeyondViewport: true,
  });
});

test('a part is whole pixels around what was asked for, cut off at the end of the page', () => {
  expect(areaOf(clip(0.5, 0.5, 1, 1), measures).clip).toMatchObject({ x: 0, y: 0, width: 2, height: 2 });
  expect(areaOf(clip(1270, 2990, 50, 50), measures).clip).toMatchObject({ width: 10, height: 10 });
  const element = { x: -20, y: 600, width: 50, height: 50 };
  expect(areaOf(defaultPicture, { ...measures, element }).clip).toMatchObject({ x: 0, width: 30 });
});

test('a part outside the page is refused, with the size of the page', () => {
  expect(() => areaOf(clip(1280, 0, 10, 10), measures)).toThrow(/1280 × 3000/);
  const element = { x: -900, y: 0, width: 50, height: 50 };
  expect(() => areaOf(defaultPicture, { ...measures, element })).toThrow(/outside the page/);
});

test('a picture is at most 16,384 device pixels long, and not large both ways', () => {
  const long = (height: number, scale: number, width = 1280) =>
    areaOf(
      { ...defaultPicture, format: 'jpeg', fullPage: true },
      { ...measures, scale, page: { width, height } },
    );
  expect(long(16_384, 1).clip?.height).toBe(16_384);
  expect(() => long(16_385, 1)).toThrow(/16385.*clip/);
  expect(long(8192, 2).clip?.height).toBe(8192);
  expect(() => long(8193, 2)).toThrow(/deviceScaleFactor/);
  expect(() => long(16_384, 1, 16_384)).toThrow(/in all/);
  const view = { x: 0, y: 0, width: 10_000, height: 10_000 };
  expect(() => areaOf(defaultPicture, { ...measures, view })).toThrow(/The viewport is/);
});

test('a PNG of a taller page is drawn in parts that begin and end at whole pixels', () => {
  const tall = (height: number, scale: number, width = 1280) =>
    anyAreaOf(
      { ...defaultPicture, fullPage: true },
      { ...measures, scale, page: { width, height } },
    ) as TallArea;
  const parts = ({ slices }: TallArea) => slices.map(({ clip }) => [clip?.y, clip?.height]);
  expect(parts(tall(16_385, 1))).toEqual([
    [0, 4096],
    [4096, 4096],
    [8192, 4096],
    [12_288, 4096],
    [16_384, 1],
  ]);
  expect(parts(tall(11_000, 1.5)).slice(0, 2)).toEqual([
    [0, 2730],
    [2730, 2730],
  ]);
  expect(tall(50_000, 2)).toMatchObject({ rows: 100_000 });
  // of a phone, and of a desktop that enlarges a little
  expect(tall(7001, 2.625)).toMatchObject({ rows: 18_378 });
  expect(parts(tall(7001, 2.625)).at(-1)).toEqual([6240, 761]);
  expect(parts(tall(15_000, 1.1))[0]).toEqual([0, 3720]);
  expect(() => tall(100_001, 1)).toThrow(/100001.*clip/);
  expect(() => tall(50_001, 2)).toThrow(/deviceScaleFactor/);
  expect(() => tall(100_000, 1, 4097)).toThrow(/in all/);
  const sharp = { ...defaultPicture, fullPage: true, deviceScaleFactor: 4 };
  expect(() => areaOf(sharp, { ...measures, page: { width: 1280, height: 5000 } })).toThrow(/20000/);
  const small = { ...defaultPicture, fullPage: true, maxSide: 1000 };
  expect(() => areaOf(small, { ...measures, page: { width: 1280, height: 20_000 } })).toThrow(/20000/);
});

test('a picture that is to be smaller is drawn smaller, never larger', () => {
  const small = { ...defaultPicture, maxSide: 640 };
  expect(areaOf(small, measures)).toEqual({ clip: { ...measures.view, scale: 0.5 } });
  expect(areaOf({ ...small, fullPage: true }, measures).clip?.scale).toBeCloseTo(640 / 3000);
  expect(areaOf(small, { ...measures, scale: 2 }).clip?.scale).toBe(0.25);
  expect(areaOf({ ...small, maxSide: 1280 }, measures)).toEqual({});
  expect(areaOf({ ...clip(0, 0, 10, 10), maxSide: 640 }, measures).clip?.scale).toBe(1);
});
