import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formsOf } from '../../tests/support/secret-forms.ts';
import { createLog, maskLog } from '../kit/log.ts';
import { RawJson } from '../kit/raw-json.ts';
import { Masks } from './masks.ts';
import { canonicalOrigin } from './origin.ts';
import { codeAt } from './totp.ts';

const value = 'p@ss "wörd"/42+x&<y>';
const project = 'project_1';
const masksOf = async (...values: string[]): Promise<Masks> => {
  const masks = new Masks();
  for (const each of values) await masks.add(project, [each]);
  return masks;
};

describe('the value of a secret', () => {
  const ways: Record<string, (text: string) => string> = {
    'as it is': (text) => text,
    'within other text': (text) => `before ${text} after`,
    'URL-encoded': encodeURIComponent,
    'URL-encoded in small letters': (text) => encodeURIComponent(text).toLowerCase().replace('w%c3', 'w%c3'),
    'as a form': (text) => new URLSearchParams({ password: text }).toString(),
    'in an address': (text) => new URL(`https://a.example/?q=${encodeURIComponent(text)}`).href,
    'in base64': (text) => Buffer.from(text).toString('base64'),
    'in base64 for addresses': (text) => Buffer.from(text).toString('base64url'),
    'in base64 behind one letter': (text) => Buffer.from(`:${text}`).toString('base64'),
    'in base64 behind two letters': (text) => Buffer.from(`u:${text}`).toString('base64'),
    'in base64 amid more': (text) => Buffer.from(`user:${text}, and more`).toString('base64'),
    'escaped for JSON': (text) => JSON.stringify({ text }),
    'escaped for JSON twice': (text) => JSON.stringify(JSON.stringify({ text })),
    'escaped for HTML': (text) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  };
  test.each(Object.entries(ways))('%s is masked', async (_, write) => {
    const written = write(value);
    const shown = (await masksOf(value)).text(project, written);
    expect(shown).toContain('•••');
    for (const form of formsOf(value)) expect(shown).not.toContain(form);
  });

  test('is masked in whatever JSON answers, and the JSON stays whole', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 4, maxLength: 40 }), fc.jsonValue(), async (secret, around) => {
        if (secret.isWellFormed() === false) return;
        const masks = await masksOf(secret);
        const shown = masks.json(project, JSON.stringify({ around, secret, list: [`${secret}!`] }));
        expect(JSON.stringify(JSON.parse(shown).secret)).toBe('"•••"');
        expect(JSON.parse(shown).list).toEqual(['•••!']);
      }),
    );
  });

  test('is masked as a number and as the name of a field in what code has made, not in our own answers', async () => {
    const masks = await masksOf('123456');
    expect(await masks.made(project, { code: 123_456, 123456: true, other: 1_234_567 })).toEqual({
      code: '•••',
      '•••': true,
      other: 1_234_567,
    });
    const ours = { 123456: 123_456, text: '123456' };
    expect(masks.deep(project, ours)).toEqual({ 123456: 123_456, text: '•••' });
  });

  test('is masked in what code has made and no one has parsed yet', async () => {
    const masks = await masksOf('123456');
    const raw = new RawJson(Buffer.from('{"code":123456,"text":"it is 123456"}'));
    expect(await masks.made('project_2', raw)).toBe(raw);
    const shown = await masks.made(project, raw);
    expect(shown).toBeInstanceOf(RawJson);
    expect(Buffer.from((shown as RawJson).bytes).toString()).toBe('{"code":"•••","text":"it is •••"}');
    const harmless = new RawJson(Buffer.from('{"code":123457}'));
    expect(await masks.made(project, harmless)).toBe(harmless);
  });

  test('of another project is not known here, and what holds none is left as it is', async () => {
    const masks = await masksOf(value);
    expect(masks.text('project_2', value)).toBe(value);
    const answer = { a: [1, 'two', null] };
    expect(masks.deep('project_2', answer)).toBe(answer);
    const text = JSON.stringify(answer);
    expect(masks.json(project, text)).toBe(text);
  });

  test('that is good for a moment is masked for a while', async () => {
    const masks = new Masks();
    await masks.add(project, ['111111'], Date.now() - 1);
    await masks.add(project, ['222222'], Date.now() + 60_000);
    expect(masks.text(project, '111111 222222')).toBe('111111 •••');
  });

  test('is found in bytes, also where its letters are not of one byte', async () => {
    const masks = await masksOf(value);
    expect(await masks.isIn(project, Buffer.from(`a file with ${value}.`))).toBe(true);
    expect(await masks.isIn(project, Buffer.from(Buffer.from(value).toString('base64')))).toBe(true);
    expect(await masks.isIn(project, Buffer.from('a file without'))).toBe(false);
  });

  test('reaches no line of the log while it is masked', async () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line: string) => lines.push(line) } as never);
    const masks = await masksOf(value);
    const unmask = maskLog((text) => masks.everywhere(text));
    log.info({ url: `https://x/?p=${encodeURIComponent(value)}`, err: new Error(`bad ${value}`) }, 'seen');
    unmask();
    log.info({ text: 'p@ss' }, 'after');
    for (const form of formsOf(value)) expect(lines[0]).not.toContain(form);
    expect(lines).toHaveLength(2);
  });

  test('reaches no line of the log, whichever project it is of', async () => {
    const masks = await masksOf('of the first');
    await masks.add('project_2', ['of the second', 'of the first']);
    expect(masks.everywhere('it is of the first or of the second')).toBe('it is ••• or •••');
    expect(masks.text(project, 'it is of the first or of the second')).toBe('it is ••• or of the second');
  });

  test('is masked from when it is added on, also where two are added at once', async () => {
    const masks = new Masks();
    const other = masks.add(project, ['another value']);
    const both = [masks.add(project, [value]), masks.add(project, [value])];
    await both[1];
    expect(masks.text(project, value)).toBe('•••');
    await Promise.all([...both, other]);
    expect(masks.text(project, `${value}, another value`)).toBe('•••, •••');
  });
});

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_234_567_890, '89005924'],
  [20_000_000_000, '65353130'],
])('the code at second %d is that of RFC 6238', (seconds, code) => {
  const secret = 'GEZDGNBVGY3TQOJQ GEZDGNBVGY3TQOJQ';
  expect(codeAt({ secret, digits: 8, period: 30 }, seconds * 1000)).toBe(code);
  expect(codeAt({ secret, digits: 6, period: 30 }, seconds * 1000)).toBe(code.slice(2));
});

test.each([
  ['https://github.com', 'https://github.com'],
  ['https://GitHub.com:443/', 'https://github.com'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['https://github.com.', 'https://github.com.'],
  ['https://github.com/login', undefined],
  ['https://user@github.com', undefined],
  ['https://*.github.com', undefined],
  ['github.com', undefined],
  ['file:///etc/passwd', undefined],
  ['data:text/html,x', undefined],
])('the origin %s is %s', (text, origin) => {
  expect(canonicalOrigin(text)).toBe(origin);
});
