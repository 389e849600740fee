import { expect, test } from 'vitest';
import { atOnce } from '../../kit/at-once.ts';
import { isLong, readLong, readUsual } from './said.ts';

const bytes = (message: object): Buffer => Buffer.from(JSON.stringify(message));
const long = (message: object | string): unknown =>
  atOnce(readLong(typeof message === 'string' ? Buffer.from(message) : bytes(message)));

test('a pasted text of a million characters is read, and no longer one', () => {
  const text = '一"\n\\'.repeat(250_000);
  expect(long({ type: 'paste', text })).toEqual({ type: 'paste', text });
  expect(long({ type: 'text', text })).toEqual({ type: 'text', text });
  expect(long({ type: 'text', text: `${text}x` })).toMatchObject({ refusal: expect.stringMatching(/text/) });
});

test('the largest of the other messages are none of the long ones', () => {
  const tabId = 'x'.repeat(64);
  const files = Array.from({ length: 100 }, () => tabId);
  const options = Array.from({ length: 5000 }, (_, n) => 1_000_000 - n);
  const choice = bytes({ type: 'pick', pickerId: tabId, value: 'x'.repeat(1000), files, options });
  const words = bytes({ type: 'compose', text: '一'.repeat(10_000), selectionStart: 0, selectionEnd: 0 });
  for (const message of [choice, words, bytes({ type: 'visit', url: `http://a.test/${'x'.repeat(8000)}` })]) {
    expect(isLong(message)).toBe(false);
    expect(readUsual(message)).not.toHaveProperty('refusal');
  }
});

test('a long message that is no text is refused before it is parsed', () => {
  const tooLong = { refusal: expect.stringContaining('too long') };
  const junk = 'x'.repeat(100_000);
  expect(long({ type: 'visit', url: junk })).toMatchObject(tooLong);
  expect(long({ type: 'paste', text: 'a', junk })).toMatchObject(tooLong);
  expect(long({ type: 'paste', text: [junk] })).toMatchObject(tooLong);
  expect(long(`{"type":"ready"${' '.repeat(100_000)}}`)).toMatchObject(tooLong);
  // Ends at its fourth value, with all of it still to come.
  const many = Buffer.from(`[${'0,'.repeat(2_000_000)}0]`);
  let steps = 0;
  for (const walk = readLong(many); !walk.next().done; ) steps++;
  expect(steps).toBeLessThan(3);
  for (const text of [`{"type":"paste","text":"${junk}`, junk])
    expect(long(text)).toEqual({ refusal: 'The message is no JSON.' });
  expect(atOnce(readLong(Buffer.concat([bytes({ type: 'text', text: junk }), Buffer.from([0xff])])))).toEqual(
    {
      refusal: 'The message is no JSON.',
    },
  );
});
