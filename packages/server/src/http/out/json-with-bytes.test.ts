import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { jsonWithBytes } from './json-with-bytes.ts';

const bytes = Buffer.from(Array.from({ length: 500_001 }, (_, n) => n % 251));

test.each([1, 2, 3, 1000, 65_536, 500_001])(
  'bytes that come %i at a time are whole in the JSON',
  async (step) => {
    const length = step < 10 ? 1000 + step : bytes.length;
    const given = bytes.subarray(0, length);
    const pieces = Array.from({ length: Math.ceil(length / step) }, (_, n) =>
      given.subarray(n * step, (n + 1) * step),
    );
    const { a, content } = JSON.parse(
      await text(jsonWithBytes('{"a":"b"}', 'content', Readable.from(pieces))),
    );
    expect(a).toBe('b');
    expect(Buffer.from(content, 'base64').equals(given)).toBe(true);
    expect(JSON.parse(await text(jsonWithBytes('{"a":"b"}', 'content', given))).content).toBe(content);
  },
);

test('a reader that goes away ends what the bytes come from, also before it has read any', async () => {
  for (const readsFirst of [false, true]) {
    const source = new Readable({ read: () => undefined });
    const written = jsonWithBytes('{"a":1}', 'content', source);
    if (readsFirst) {
      source.push(bytes);
      await once(written, 'readable');
    }
    const closed = once(source, 'close');
    written.destroy();
    await closed;
    expect(source.destroyed).toBe(true);
  }
});
