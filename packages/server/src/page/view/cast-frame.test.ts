import { expect, test } from 'vitest';
import { readCastFrame } from './cast-frame.ts';

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0, 1, 2, 3, 250]);
const metadata = { offsetTop: 0, pageScaleFactor: 1, deviceWidth: 1280, deviceHeight: 720 };
const message = (params: object, more: object = { sessionId: 'ABC' }, method = 'Page.screencastFrame') =>
  Buffer.from(JSON.stringify({ method, params, ...more }));
const data = jpeg.toString('base64');

test('a frame is read as Chromium writes it', () => {
  expect(readCastFrame(message({ data, metadata, sessionId: 7 }))).toEqual({
    jpeg,
    width: 1280,
    height: 720,
    castId: 7,
    sessionId: 'ABC',
  });
});

test('what is no frame, or is written otherwise, is left to be parsed', () => {
  expect(readCastFrame(message({ data }, { sessionId: 'A' }, 'Page.frameNavigated'))).toBeUndefined();
  expect(readCastFrame(message({ metadata, data, sessionId: 7 }))).toBeUndefined();
  expect(readCastFrame(message({ data }))).toBeUndefined();
  expect(readCastFrame(message({ data: 'a"b', metadata, sessionId: 7 }))).toBeUndefined();
  expect(readCastFrame(Buffer.from('{}'))).toBeUndefined();
});
