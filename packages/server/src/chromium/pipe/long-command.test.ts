import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { membersOf } from '../../kit/json-members.ts';
import { readCommand } from './command.ts';
import { readLongCommand } from './long-command.ts';

function last<T>(steps: Generator<undefined, T>): { value: T; steps: number } {
  for (let count = 1; ; count++) {
    const { done, value } = steps.next();
    if (done) return { value, steps: count };
  }
}

const walk = (text: string, limits = { depth: 300, values: 2_000_000 }) =>
  last(membersOf(Buffer.from(text), limits)).value;

const read = (text: string | Buffer) => last(readLongCommand(Buffer.from(text as string))).value;

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Texts that are nearly JSON: one place of a right one is changed. */
const nearlyJson = fc
  .tuple(fc.json(), fc.nat(), fc.constantFrom(...'{}[],:"\\ 01-+.eEtn/*\u0000\u001fu'.split('')))
  .map(([text, at, other]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + other + text.slice(place + (at % 2));
  });

describe('the walk through JSON', () => {
  test('takes what is JSON and nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), nearlyJson, fc.string()), (text) => {
        fc.pre(text.isWellFormed());
        expect([text, walk(text) !== 'malformed']).toEqual([text, parses(text)]);
      }),
      { numRuns: 3000 },
    );
  });

  test('refuses what only Chromium would take', () => {
    for (const text of [
      '{/* " */"a":1}',
      '{"a":1}//',
      '{"a":1,}',
      "{'a':1}",
      '{"a":01}',
      '{"a":"\n"}',
      '{"a":1}\0{}',
    ])
      expect([text, walk(text)]).toEqual([text, 'malformed']);
  });

  test('tells where the outermost members stand', () => {
    const text = ' {"a": [1, {"b": 2}] , "c" :"x\\"y", "\\u0061":-1.5e3}';
    const members = walk(text);
    const found = typeof members === 'string' ? [] : members;
    expect(found.map(({ name, start, end }) => [name, text.slice(start, end)])).toEqual([
      ['a', '[1, {"b": 2}]'],
      ['c', '"x\\"y"'],
      ['a', '-1.5e3'],
    ]);
  });

  test('ends at what is too deep or has too many values, whatever texts are around', () => {
    const many = 100_000;
    for (const text of ['\\', '\\\\', '"', '\\"', '"\\', '['.repeat(many)]) {
      const lead = `{"a":${JSON.stringify(text)},"b":`;
      expect(walk(`${lead}${'['.repeat(many)}`)).toBe('deep');
      expect(walk(`${lead}[${'0,'.repeat(many)}0]}`, { depth: 300, values: many })).toBe('heavy');
      expect(walk(`${lead}0}`, { depth: 300, values: many })).toHaveLength(2);
    }
  });

  test('rests at least once in a mebibyte', () => {
    const long = 4 * 1024 ** 2;
    for (const value of [
      'x'.repeat(long),
      '\\'.repeat(long / 2),
      Array.from({ length: long / 8 }, () => 'words'),
    ]) {
      const text = Buffer.from(JSON.stringify({ value }));
      expect(last(membersOf(text, { depth: 9, values: 1e6 })).steps).toBeGreaterThan(4);
    }
  });
});

describe('a long message of a client', () => {
  test('is the command that a short one would be, with its parameters as they came', () => {
    const texts = [
      '{"id":-7,"method":"Page.enable","params":{ "a": [1] },"sessionId":"S"}',
      '{"id":1,"method":"A.b"}',
      '{"id":1,"method":"Browser.crash","method":"Browser.getVersion","params":{"a":1},"params":{"a":2}}',
    ];
    for (const text of texts) {
      const [long, short] = [read(text), readCommand(text)];
      if ('failure' in long || 'failure' in short) throw new Error('refused');
      expect({ ...long.command, params: JSON.parse(long.command.params.toString()) }).toEqual(short.command);
    }
  });

  test('is refused as a short one would be', () => {
    const texts = [
      '',
      '{',
      'null',
      '[]',
      '{"method":"A.b"}',
      '{"id":"1","method":"A.b"}',
      '{"id":1.5,"method":"A.b"}',
    ];
    texts.push(
      '{"id":1}',
      '{"id":1,"method":{}}',
      '{"id":1,"method":"A.b","params":[]}',
      '{"id":1,"method":"A.b",',
    );
    texts.push('{"id":1,"method":"A.b","sessionId":7}', '{"id":1,"method":"A.b","params":"x"}');
    for (const text of texts) {
      const [long, short] = [read(text), readCommand(text)];
      const codes = [long, short].map((each) => 'failure' in each && [each.id, each.failure.code]);
      expect([text, codes[0]]).toEqual([text, codes[1]]);
    }
  });

  test('may name a session or a method that is too long to be one', () => {
    const long = 'x'.repeat(1e6);
    const command = (members: object) => JSON.stringify({ id: 1, method: 'A.b', ...members });
    expect(read(command({ sessionId: long }))).toMatchObject({
      command: { id: 1, sessionId: long.slice(0, 999) },
    });
    expect(read(command({ method: long }))).toMatchObject({ command: { id: 1, method: long.slice(0, 999) } });
    expect(read(command({ sessionId: [long] }))).toMatchObject({ id: 1, failure: { code: -32600 } });
  });

  test('that is no UTF-8, or holds the byte that ends a message of the pipe, is no JSON', () => {
    const inParams = (bytes: number[]): Buffer =>
      Buffer.concat([
        Buffer.from('{"id":1,"method":"A.b","params":{"a":"'),
        Buffer.from(bytes),
        Buffer.from('"}}'),
      ]);
    for (const bytes of [[0xff], [0xc3], [0], [0xed, 0xa0, 0x80]])
      expect(read(inParams(bytes))).toMatchObject({ failure: { code: -32700 } });
  });
});
