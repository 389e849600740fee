import { expect, test } from 'vitest';
import { RawJson } from '../kit/raw-json.ts';
import { readInSteps } from './check.ts';
import { type DoneMessage, limits, WireError } from './wire/wire.ts';

const done = { type: 'done', call: 1, memoryBytes: 1, cdpSent: 0, last: false };
const rows = Array.from({ length: 50_000 }, (_, n) => ({ n, name: `Zeile ${n} – ü` }));

function read(json: string | Buffer) {
  const steps = readInSteps(Buffer.from(json));
  for (let count = 1; ; count++) {
    const { done: isDone, value } = steps.next();
    if (isDone) return { message: value, steps: count };
  }
}

test('a large result is read in steps and kept as it came', () => {
  const { message, steps } = read(JSON.stringify({ ...done, result: rows, front: 'tab' }));
  expect(message).toMatchObject({ type: 'done', call: 1, front: 'tab' });
  const { result } = message as DoneMessage;
  expect(result).toBeInstanceOf(RawJson);
  expect(JSON.parse(Buffer.from((result as RawJson).bytes).toString())).toEqual(rows);
  expect(steps).toBeGreaterThan(5);
});

test('a small one is a value', () => {
  expect(read(JSON.stringify({ ...done, result: { a: [1] } })).message).toMatchObject({ result: { a: [1] } });
});

test('one that is beside an error does not count', () => {
  const error = { name: 'Error', message: 'no', stack: '' };
  const { message } = read(JSON.stringify({ ...done, result: rows, error }));
  expect(message).toMatchObject({ type: 'done', error });
  expect(message).not.toHaveProperty('result');
});

test('a large one has little beside it', () => {
  const front = 'x'.repeat(300_000);
  expect(() => read(JSON.stringify({ ...done, front }))).toThrow('targetId');
  expect(() => read(JSON.stringify({ ...done, result: rows, front: front.repeat(4) }))).toThrow(
    'long beside',
  );
  const targets = Array(100_000).fill('t');
  expect(() => read(JSON.stringify({ type: 'dialogs', targets }))).toThrow('many values beside');
});

test('one of several lines is refused: it would end a line of a stream', () => {
  const pretty = JSON.stringify({ ...done, result: rows }, null, 1);
  expect(() => read(pretty)).toThrow('one line');
});

test.each([
  ['is no JSON', `{"type":"done","result":[${'1,'.repeat(300_000)}]}`],
  ['has comments', `{"type":"done","result":"${'x'.repeat(300_000)}"/* a */}`],
  ['has two results', `{"type":"done","result":1,"result":"${'x'.repeat(300_000)}"}`],
  ['is nested too deeply', `{"result":${'['.repeat(limits.depth * 2)}"${'x'.repeat(300_000)}"`],
])('a large message that %s is refused', (_, json) => {
  expect(() => read(json)).toThrow(WireError);
});

test('a large result that is no text is refused', () => {
  const json = Buffer.from(JSON.stringify({ ...done, result: 'x'.repeat(300_000) }));
  json[1000 + json.indexOf('xxx')] = 0xff;
  expect(() => read(json)).toThrow('UTF-8');
});
