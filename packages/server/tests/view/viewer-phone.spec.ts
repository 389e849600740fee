import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, seen, startPerson, type Window } from '../support/viewer-page.ts';

let person: Person;
const phone = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
};

beforeAll(async () => {
  person = await startPerson();
});
afterAll(() => person[Symbol.asyncDispose]());

const field = () => person.read('field.value');
const touch = ({ cdp }: Window, type: 'Start' | 'Move' | 'End', ...points: { x: number; y: number }[]) =>
  cdp.send('Input.dispatchTouchEvent', {
    type: `touch${type}`,
    touchPoints: points.map(({ x, y }, id) => ({ x, y, id })),
  });
const tap = async (window: Window, x: number, y: number) => {
  await touch(window, 'Start', await window.at(x, y));
  await touch(window, 'End');
};

test('two fingers enlarge the picture, one finger goes to the page, and a tap meets what is under it', async () => {
  const window = await person.open('/drag', { context: phone });
  const { page } = window;
  await person.read(`buttons.addEventListener('click', ({ offsetX, offsetY }) =>
    note('tap', Math.round(offsetX / 10), Math.round(offsetY / 10)))`);
  const width = async () => (await page.locator('#screen').boundingBox())?.width ?? 0;
  const taps = () => person.read("noted.filter((line) => line.startsWith('tap'))");
  const before = await width();
  const middle = await window.at(600, 100);
  const spread = (by: number) => [
    { x: middle.x - by, y: middle.y },
    { x: middle.x + by, y: middle.y },
  ];
  await touch(window, 'Start', ...spread(20));
  await touch(window, 'Move', ...spread(40));
  await touch(window, 'Move', ...spread(60));
  await touch(window, 'End');
  await seen(async () => expect(await width()).toBeGreaterThan(before * 2.5));
  expect(await taps()).toEqual([]);
  await tap(window, 600, 110);
  await seen(async () => expect(await taps()).toEqual(['tap 10 10']));
  await page.getByRole('button', { name: 'Zoom out' }).click();
  expect(await width()).toBe(before);
  await tap(window, 560, 60);
  await seen(async () => expect(await taps()).toEqual(['tap 10 10', 'tap 6 5']));
});

test('an on-screen keyboard writes, composes, corrects and deletes in the page', async () => {
  const window = await person.open('/type', { context: phone });
  const { page, cdp } = window;
  const keyboard = page.getByRole('button', { name: 'Keyboard', exact: true });
  const isOpen = () => keyboard.getAttribute('aria-pressed');
  await tap(window, 60, 60);
  expect(await isOpen()).toBe('false');
  await keyboard.tap();
  expect(await isOpen()).toBe('true');
  // without a key, as these keyboards do it
  await cdp.send('Input.insertText', { text: 'H' });
  await cdp.send('Input.insertText', { text: 'i you' });
  await seen(async () => expect(await field()).toBe('Hi you'));
  for (const text of ['ざ', 'ざs', 'ざせ'])
    await cdp.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  await seen(async () => expect(await field()).toBe('Hi youざせ'));
  await cdp.send('Input.insertText', { text: '座席' });
  await seen(async () => expect(await field()).toBe('Hi you座席'));
  for (let n = 0; n < 3; n++) await page.evaluate("document.execCommand('delete')");
  await seen(async () => expect(await field()).toBe('Hi yo'));
  await page.evaluate("document.execCommand('insertLineBreak')");
  await seen(async () => expect(await field()).toBe('Hi yo\n'));
  // the page is touched, and the keyboard stays
  await tap(window, 60, 60);
  expect(await isOpen()).toBe('true');
  await keyboard.tap();
  expect(await isOpen()).toBe('false');
});

test('the picture takes the whole screen, and gives it back; nothing is pushed out of a narrow one', async () => {
  const window = await person.open('/type', { context: phone });
  const { page } = window;
  const hidden = () =>
    page.evaluate(`[...document.querySelectorAll('button, input')]
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box: { width, left, right } }) => width > 1 && (left < 0 || right > innerWidth))
      .map(({ element }) => element.outerHTML)`);
  expect(await hidden()).toEqual([]);
  const full = page.getByRole('button', { name: 'Full screen' });
  const room = async () => (await page.locator('#stage').boundingBox())?.height ?? 0;
  const before = await room();
  await full.tap();
  await seen(async () => expect(await room()).toBeGreaterThan(before));
  expect(await full.getAttribute('aria-pressed')).toBe('true');
  expect(await hidden()).toEqual([]);
  await full.tap();
  await seen(async () => expect(await room()).toBe(before));
  expect(await full.getAttribute('aria-pressed')).toBe('false');
});
