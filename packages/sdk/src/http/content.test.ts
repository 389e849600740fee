import { createReadStream } from 'node:fs';
import { expect, test } from 'vitest';
import { badLine, json } from '../../tests/bad-line.ts';
import { fileName } from './content.ts';

test('the name of a file is read, also from a header that is broken', () => {
  const names: [string, string | undefined][] = [
    [`attachment; filename="plain.txt"; filename*=UTF-8''na%C3%AFve%20%E2%9C%93.txt`, 'naïve ✓.txt'],
    [`attachment; filename*=utf-8'en'a.txt; filename="b.txt"`, 'a.txt'],
    [`attachment; filename="a \\"b\\" \\\\c.txt"`, 'a "b" \\c.txt'],
    [`attachment; filename=token.txt; size=5`, 'token.txt'],
    [`attachment; filename="plain.txt"; filename*=UTF-8''%ff%zz`, 'plain.txt'],
    [`attachment; filename*=UTF-8''%ff`, undefined],
    ['attachment', undefined],
    ['', undefined],
  ];
  for (const [header, name] of names) expect([header, fileName(header)]).toEqual([header, name]);
});

test('everything that has bytes can be uploaded', async () => {
  const line = await badLine(json(201, { id: 'file_1' }));
  const { files } = line.client().browser('browser_1');
  async function* parts() {
    yield new TextEncoder().encode('one ');
    yield 'two';
  }
  const name = 'a b.txt';
  for (const content of [
    'one two',
    new TextEncoder().encode('one two'),
    new TextEncoder().encode('one two').buffer,
    Buffer.from('one two'),
    new Blob(['one two'], { type: 'text/plain' }),
    new Blob(['one two']).stream(),
    parts(),
  ])
    await files.upload(content, { name });
  await files.upload(new File(['one two'], name, { type: 'text/csv' }));
  expect(line.asked.map(({ body }) => body)).toEqual(Array(8).fill('one two'));
  expect(new Set(line.asked.map(({ url }) => url))).toEqual(
    new Set(['/v1/browsers/browser_1/files?name=a+b.txt']),
  );
  expect(line.asked.map(({ headers }) => headers['content-type'])).toMatchObject({
    0: 'application/octet-stream',
    4: 'text/plain',
    7: 'text/csv',
  });
  await expect(files.upload('nameless')).rejects.toThrow('needs a name');
});

test('a file that cannot be read is not taken for a broken connection', async () => {
  const line = await badLine(json(201, {}));
  const upload = line
    .client()
    .browser('browser_1')
    .files.upload(createReadStream('/no/such/file'), { name: 'x' });
  await expect(upload).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: expect.stringContaining('ENOENT'),
  });
});

test('a connection that breaks gives the same error, however the bytes are read', async () => {
  const line = await badLine((response) => {
    response.writeHead(200, { 'content-length': '4' }).write('ab', () => response.destroy());
  });
  const { files } = line.client({ maxRetries: 0 }).browser('browser_1');
  const streamed = async (): Promise<void> => {
    const reader = (await files.content('file_1')).stream.getReader();
    while (!(await reader.read()).done);
  };
  const whole = async (): Promise<unknown> => (await files.content('file_1')).bytes();
  for (const read of [streamed, whole])
    await expect(read()).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
});

test('bytes can be read as a stream, or dropped unread', async () => {
  const line = await badLine((response) => void response.end('one two'));
  const { files } = line.client().browser('browser_1');
  expect(await new Response((await files.content('file_1')).stream).text()).toBe('one two');
  const endless = await badLine((response) => void response.writeHead(200).write('on and on'));
  const content = await endless.client().browser('browser_1').files.content('file_1');
  await content.stream.cancel();
  await expect.poll(endless.open).toBe(0);
});
