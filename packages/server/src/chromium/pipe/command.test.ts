import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCommand } from './command.ts';

describe('a message of a client', () => {
  test('is taken when it is a command, as text or as bytes', () => {
    const command = { id: -7, method: 'Page.enable', params: { a: [1] }, sessionId: 'S' };
    expect(readCommand(JSON.stringify(command))).toEqual({ command });
    expect(readCommand(Buffer.from(JSON.stringify(command)))).toEqual({ command });
    expect(readCommand('{"id":1,"method":"A.b"}')).toEqual({
      command: { id: 1, method: 'A.b', params: {}, sessionId: undefined },
    });
  });

  test('is answered with what is wrong with it, under its id where it has one', () => {
    const wrong: [string, number | undefined, number][] = [
      ['', undefined, -32700],
      ['{', undefined, -32700],
      ['null', undefined, -32600],
      ['[]', undefined, -32600],
      ['{"method":"A.b"}', undefined, -32600],
      ['{"id":"1","method":"A.b"}', undefined, -32600],
      ['{"id":1.5,"method":"A.b"}', undefined, -32600],
      ['{"id":1e99,"method":"A.b"}', undefined, -32600],
      ['{"id":1}', 1, -32600],
      ['{"id":1,"method":{}}', 1, -32600],
      ['{"id":1,"method":"A.b","params":[]}', 1, -32600],
      ['{"id":1,"method":"A.b","params":"x"}', 1, -32600],
      ['{"id":1,"method":"A.b","sessionId":7}', 1, -32600],
      [`{"id":1,"method":"A.b","params":{"a":${'['.repeat(300)}${']'.repeat(300)}}}`, 1, -32600],
    ];
    for (const [text, id, code] of wrong) {
      const read = readCommand(text);
      expect([text, 'failure' in read && [read.id, read.failure.code]]).toEqual([text, [id, code]]);
    }
  });

  test('means the same to us and to Chromium: of two members with one name the last counts, and goes on alone', () => {
    const twice = '{"id":1,"method":"Browser.crash","method":"Browser.getVersion","params":{"a":1,"a":2}}';
    expect(readCommand(twice)).toMatchObject({
      command: { id: 1, method: 'Browser.getVersion', params: { a: 2 } },
    });
  });

  test('is read whatever it is', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readCommand(text)));
  });
});
