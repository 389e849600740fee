import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Api } from '../support/client.ts';
import { expectContract } from '../support/contract.ts';
import { named } from '../support/file-client.ts';
import { makeKey } from '../support/keys.ts';
import { uploadToProject } from '../support/project-file-client.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let api: Api;

beforeAll(async () => {
  server = await startServer({ BROWSERD_BODY_LIMIT: '1MiB' });
  api = server.api;
});
afterAll(() => server[Symbol.asyncDispose]());

const page = `<title>waits</title><link rel=stylesheet href=style.css><p>Hello</p><img src="images/my%20logo.svg">
  <script src=app.js defer></script>`;
const beside: Record<string, string> = {
  'style.css': 'p { color: rgb(1, 2, 3) }',
  'images/my logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="77" height="10"/>',
  'app.js': `const img = document.images[0];
    const told = () => { document.title = getComputedStyle(document.querySelector('p')).color + ' ' + img.naturalWidth; };
    if (img.complete) told(); else img.onload = told;`,
};
const seen = 'rgb(1, 2, 3) 77';

const formOf = (files: Record<string, string>, options?: object | string): FormData => {
  const form = new FormData();
  if (options !== undefined)
    form.set('options', typeof options === 'string' ? options : JSON.stringify(options));
  for (const [name, content] of Object.entries(files)) form.append('files', new Blob([content]), name);
  return form;
};

async function send(path: string, form: FormData, by = api): Promise<Answer> {
  const headers = { authorization: `Bearer ${by.key}` };
  const response = await fetch(by.url + path, { method: 'POST', headers, body: form });
  const isJson = response.headers.get('content-type')?.includes('json');
  const body = isJson ? await response.json() : Buffer.from(await response.arrayBuffer());
  const answer = { status: response.status, headers: response.headers, body };
  if (isJson) expectContract('POST', path, answer);
  return answer;
}

const options = {
  mainContent: false,
  waitFor: { expression: 'document.title !== "waits"' },
  timeoutMs: 120_000,
};

describe('a page and the files beside it', () => {
  test('come as a form: index.html, what it names, and the other fields as JSON', async () => {
    const { status, body } = await send('/v1/scrape', formOf({ 'index.html': page, ...beside }, options));
    expect([status, body.title]).toEqual([200, seen]);
    const pdf = await send('/v1/pdf', formOf({ 'index.html': page, ...beside }, { format: 'a5' }));
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    const bare = await send('/v1/screenshot', formOf({ 'index.html': page }));
    expect(bare.body.subarray(1, 4).toString()).toBe('PNG');
    const stored = await send('/v1/screenshot', formOf({ 'index.html': page, ...beside }, { store: true }));
    expect(stored.body.files).toMatchObject([{ name: 'screenshot.png' }]);
  });

  test('are files of the project by their id, also beside others, and of no other project', async () => {
    const assets = await Promise.all(
      Object.entries(beside).map(async ([name, body]) => ({
        name,
        fileId: (await uploadToProject(api, named('x'), { body })).body.id,
      })),
    );
    const { body } = await api.call('POST', '/v1/scrape', { body: { html: page, assets, ...options } });
    expect(body.title).toBe(seen);
    const { 'app.js': app = '', ...others } = beside;
    const mixed = formOf(
      { 'index.html': page, 'app.js': app },
      { ...options, assets: assets.filter(({ name }) => name in others) },
    );
    expect((await send('/v1/scrape', mixed)).body.title).toBe(seen);
    const stranger = api.as(await makeKey(server.dataDir, { project: 'stranger' }));
    const refused = await stranger.call('POST', '/v1/scrape', { body: { html: page, assets } });
    expect([refused.status, refused.body.error.code]).toEqual([404, 'FILE_NOT_FOUND']);
    const { body: large } = await uploadToProject(api, named('x'), { body: new Uint8Array(10_500_001) });
    const tooLarge = await api.call('POST', '/v1/pdf', {
      body: { html: page, assets: [{ name: 'large', fileId: large.id }] },
    });
    expect([tooLarge.status, tooLarge.body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(tooLarge.body.error.message).toContain('10500001 bytes');
    for (const asset of [{ name: 'x' }, { name: 'x', content: '', fileId: large.id }])
      expect(
        (await api.call('POST', '/v1/pdf', { body: { html: page, assets: [asset] } })).body.error.message,
      ).toContain('give either content or fileId');
  });
});

describe('a form is refused with the reason', () => {
  const index = { 'index.html': page };
  const many = Object.fromEntries(Array.from({ length: 202 }, (_, n) => [`${n}.css`, '']));
  const twice = formOf(index);
  twice.append('files', new Blob(['x']), 'a.css');
  twice.append('files', new Blob(['y']), 'a.css');
  const field = formOf(index);
  field.set('landscape', 'true');
  const nul = formOf({ 'index.html': 'a\0b' });
  const binary = formOf({});
  binary.append('files', new Blob([new Uint8Array([0xff, 0xfe, 0x00])]), 'index.html');

  test.each([
    ['without the page', formOf(beside), '`index.html` of the form: missing'],
    ['with a page in the options, too', formOf(index, { html: 'x' }), 'the page is given twice'],
    ['with two files of one name', twice, '`a.css` of the form: two files have this name'],
    ['with a field that is no file', field, '`landscape` of the form: no file, as it has no file name'],
    ['with too many parts', formOf({ ...index, ...many }), 'more than 202 parts'],
    ['with a path out of its folder', formOf({ ...index, '../../etc/passwd': 'x' }), 'not the relative path'],
    ['with a path of Windows', formOf({ ...index, 'images\\logo.png': 'x' }), 'not the relative path'],
    ['with an absolute path', formOf({ ...index, '/etc/passwd': 'x' }), 'not the relative path'],
    ['with options that are no object', formOf(index, '[1]'), '`options` of the form: not a JSON object'],
    ['with options that are no JSON', formOf(index, '{'), 'not valid JSON'],
    ['with an unknown option', formOf(index, { colour: 'red' }), '`colour` of the body: unknown field'],
    ['with a null character', nul, 'holds a null character'],
    ['with a page that is not UTF-8', binary, 'not UTF-8'],
    ['with nothing', formOf({}), 'give either url or html'],
  ])('%s', async (_, form, reason) => {
    const { status, body } = await send('/v1/pdf', form);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(reason)]);
  });

  test('when it is larger than a body may be', async () => {
    const { status, body } = await send('/v1/pdf', formOf({ ...index, large: 'x'.repeat(1024 ** 2) }));
    expect([status, body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  test.each([
    ['has no boundary', 'multipart/form-data', 'x'],
    [
      'ends within a part',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data\r\n\r\nx',
    ],
    ['has no first boundary', 'multipart/form-data; boundary=b', 'x'],
    ['has no headers', 'multipart/form-data; boundary=b', '--b\r\nx'],
  ])('when it %s', async (_, type, text) => {
    const response = await fetch(`${api.url}/v1/pdf`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.key}`, 'content-type': type },
      body: text,
    });
    expect([response.status, ((await response.json()) as Answer['body']).error.code]).toEqual([
      400,
      'INVALID_REQUEST',
    ]);
  });

  test('when its sender never comes to an end', async () => {
    await using own = await startServer({ BROWSERD_REQUEST_TIMEOUT: '2s' });
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(own.service.port, '127.0.0.1', () =>
        socket.write(
          `POST /v1/pdf HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.api.key}\r\nContent-Length: 1000\r\n` +
            'Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n',
        ),
      );
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('error', () => undefined).on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('REQUEST_TIMEOUT');
  });
});
