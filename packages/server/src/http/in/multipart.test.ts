import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundaryOf, readFilePart } from './multipart.ts';

const boundary = 'xx-boundary';
const end = `\r\n--${boundary}--\r\n`;
const part = (headers: string): string => `--${boundary}\r\n${headers}\r\n\r\n`;
const fileHead = part(
  'Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain',
);

async function* inPieces(bytes: Buffer, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const length of lengths) {
    yield bytes.subarray(from, from + length);
    from += length;
  }
  yield bytes.subarray(from);
}

async function read(body: string | Buffer, lengths: readonly number[] = []) {
  const form = await readFilePart(inPieces(Buffer.from(body), lengths), boundary);
  return { ...form, bytes: await buffer(form.chunks) };
}

describe('a form with one file', () => {
  test('gives its bytes whatever they are and however they come', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)),
      fc
        .array(
          fc.constantFrom('\r', '\n', '\r\n', '--', '\r\n--xx', 'xx-boundar', '\r\n--xx-boundar', 'a', '\0'),
        )
        .map((texts) => Buffer.from(texts.join(''))),
    );
    await fc.assert(
      fc.asyncProperty(bytes, fc.array(fc.nat(40), { maxLength: 30 }), async (content, lengths) => {
        const body = Buffer.concat([Buffer.from(fileHead), content, Buffer.from(end)]);
        expect((await read(body, lengths)).bytes).toEqual(content);
      }),
      { numRuns: 300 },
    );
  });

  test('gives its name and type', async () => {
    expect(await read(`${fileHead}hello${end}`)).toMatchObject({
      filename: 'a.txt',
      mimeType: 'text/plain',
      bytes: Buffer.from('hello'),
    });
  });

  test.each([
    ['name="file"; filename="a\\"b.txt"', 'a"b.txt'],
    ['name="file"; filename="a%22b%0D%0A.txt"', 'a"b\r\n.txt'],
    ['name="file"; filename="100%.txt"', '100%.txt'],
    ['name="file"; filename="C:\\dir\\été.txt"', 'C:\\dir\\été.txt'],
    ['filename="x; name=other"; name="file"', 'x; name=other'],
    ['NAME=file; FileName=plain.txt', 'plain.txt'],
    ['name="file"', undefined],
  ])('%s is called %j', async (parameters, filename) => {
    const head = part(`content-disposition: form-data; ${parameters}`);
    expect((await read(`${head}x${end}`)).filename).toBe(filename);
  });

  test.each([
    ['before and after it', `words\r\nbefore\r\n${fileHead}x${end}words after`],
    ['after the boundary', `--${boundary} \t\r\n${fileHead.slice(boundary.length + 4)}x${end}`],
    ['nowhere, not even a last line end', `${fileHead}x\r\n--${boundary}--`],
  ])('may have something %s', async (_where, body) => {
    expect((await read(body)).bytes).toEqual(Buffer.from('x'));
  });
});

describe('a form is refused', () => {
  test.each([
    ['that has no boundary', 'hello'],
    ['that is nothing', ''],
    ['that ends within the headers', fileHead.slice(0, 60)],
    ['that ends within the file', `${fileHead}hello`],
    ['that ends within the boundary', `${fileHead}hello\r\n--${boundary}`],
    ['whose headers are endless', `--${boundary}\r\n${'x: y\r\n'.repeat(10_000)}`],
    ['whose preamble is endless', 'x'.repeat(200_000)],
    ['whose epilogue is endless', `${fileHead}x${end}${'x'.repeat(200_000)}`],
    ['whose file is encoded', `${part('Content-Transfer-Encoding: base64')}aGVsbG8=${end}`],
  ])('%s', async (_what, body) => {
    await expect(read(body, [10, 5000, 5000])).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  test.each([
    ['another field before it', `${part('Content-Disposition: form-data; name="title"')}x`, 'title'],
    [
      'another field after it',
      `${fileHead}x\r\n${part('Content-Disposition: form-data; name="title"')}y${end}`,
      'title',
    ],
    ['a second file', `${fileHead}x\r\n${fileHead}y${end}`, 'file'],
    ['no headers', `${part('').replace('\r\n\r\n\r\n', '\r\n\r\n')}x${end}`, ''],
    ['no field at all', `--${boundary}--\r\n`, ''],
  ])('that has %s', async (_what, body, path) => {
    await expect(read(body)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { issues: [{ path, reason: expect.stringContaining('one part called `file`') }] },
    });
  });
});

test.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['Multipart/Form-Data;charset=utf-8; Boundary="a b:c"', 'a b:c'],
  ['multipart/mixed; boundary=abc', undefined],
  ['text/plain; boundary=abc', undefined],
  [undefined, undefined],
])('the boundary of %j is %j', (contentType, expected) => {
  expect(boundaryOf(contentType)).toBe(expected);
});

test.each([
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'a'.repeat(71)}`,
])('%s cannot be read', (contentType) => {
  expect(() => boundaryOf(contentType)).toThrowError(expect.objectContaining({ code: 'INVALID_REQUEST' }));
});
