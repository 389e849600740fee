import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unzip } from '../../../tests/support/zip.ts';
import { masked } from '../../kit/mask-headers.ts';
import { type RecordKind, recordHead, recordKinds } from '../../runner/wire/trace-records.ts';
import { Masks } from '../../secrets/secrets.ts';
import { TraceCleaner } from './hidden-credentials.ts';
import { Packer } from './packer.ts';
import { findPieces, readPieces } from './trace-pieces.ts';
import { ZipFile } from './zip.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'browserd-evidence-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const record = (kind: RecordKind, name: string, data: string): Buffer =>
  Buffer.concat([recordHead(kind, Buffer.from(name), Buffer.byteLength(data)), Buffer.from(data)]);
const { append, whole, over, failed } = recordKinds;

describe('a ZIP file', () => {
  test('has what was put in, packed or as it is', () => {
    const path = join(folder, 'plain.zip');
    const fd = openSync(path, 'wx');
    const zip = new ZipFile(fd);
    zip.add('a.txt', Buffer.from('word '.repeat(1000)));
    zip.add('ü/empty.txt', Buffer.alloc(0));
    zip.add('b.png', Buffer.from('word '.repeat(1000)));
    zip.end();
    closeSync(fd);
    const bytes = readFileSync(path);
    expect(bytes.length).toBe(zip.bytes);
    const entries = unzip(bytes);
    expect([...entries].map(([name, data]) => [name, data.length])).toEqual([
      ['a.txt', 5000],
      ['ü/empty.txt', 0],
      ['b.png', 5000],
    ]);
    expect(entries.get('a.txt')?.toString()).toBe('word '.repeat(1000));
  });
});

describe('records of a trace', () => {
  const inFile = <T>(name: string, bytes: Buffer, look: (fd: number) => T): T => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    const fd = openSync(path, 'r');
    try {
      return look(fd);
    } finally {
      closeSync(fd);
    }
  };

  test('become files; one that was cut off is left out, and so are names that no trace has', () => {
    const bytes = Buffer.concat([
      record(append, 'trace.trace', 'one\n'),
      record(whole, 'resources/a.css', 'css'),
      record(whole, 'resources/a.css', 'again'),
      record(whole, '../../etc/passwd', 'x'),
      record(whole, 'resources/..', 'x'),
      record(append, 'trace.trace', 'two\n'),
      record(append, 'trace.trace', 'three\n').subarray(0, -2),
    ]);
    inFile('records', bytes, (fd) => {
      const { files, over: isOver } = findPieces(fd, bytes.length);
      expect([...files.keys()]).toEqual(['trace.trace', 'resources/a.css']);
      expect(readPieces(fd, files.get('trace.trace') ?? []).toString()).toBe('one\ntwo\n');
      expect(readPieces(fd, files.get('resources/a.css') ?? []).toString()).toBe('css');
      expect(isOver).toBe(false);
    });
  });

  test('tell that it grew too large, or could not be made', () => {
    const bytes = Buffer.concat([record(over, '', ''), record(failed, '', 'no page')]);
    inFile('told', bytes, (fd) =>
      expect(findPieces(fd, bytes.length)).toMatchObject({ over: true, failed: 'no page' }),
    );
  });

  test('that claim more than there is are not believed', () => {
    const bytes = recordHead(append, Buffer.from('trace.trace'), 0xffffffff);
    inFile('claims', bytes, (fd) => expect(findPieces(fd, bytes.length).files.size).toBe(0));
  });
});

describe('credentials in a line of a trace', () => {
  const cleaner = new TraceCleaner();
  const clean = (line: object): object => JSON.parse(cleaner.line(JSON.stringify(line)) ?? '{}');

  test('are masked in headers and cookies, wherever these are', () => {
    const headers = [
      { name: 'Authorization', value: 'Bearer x' },
      { name: 'accept', value: '*/*' },
    ];
    expect(clean({ a: [{ headers }], cookies: [{ name: 'sid', value: 'y', path: '/' }] })).toEqual({
      a: [
        {
          headers: [
            { name: 'Authorization', value: masked },
            { name: 'accept', value: '*/*' },
          ],
        },
      ],
      cookies: [{ name: 'sid', value: masked, path: '/' }],
    });
  });

  test('lines without any stay as they are, and broken ones go', () => {
    expect(cleaner.line('{"type": "log" }')).toBe('{"type": "log" }');
    expect(cleaner.line('{"cookies": [')).toBeUndefined();
  });

  test('are masked in addresses, each value by a number of its own, the same in every line', () => {
    const own = new TraceCleaner();
    const address = (value: string) => `https://a.example/picture?id=3&code=${value}`;
    const network = { request: { url: address('one'), queryString: [{ name: 'code', value: 'one' }] } };
    expect(JSON.parse(own.line(JSON.stringify(network)) ?? '')).toEqual({
      request: { url: address('***1'), queryString: [{ name: 'code', value: masked }] },
    });
    const shown = ['IMG', { src: `/picture?id=3&code=two` }, ['IMG', { src: address('one') }]];
    expect(JSON.parse(own.line(JSON.stringify(shown)) ?? '')).toEqual([
      ...['IMG', { src: '/picture?id=3&code=***2' }, ['IMG', { src: address('***1') }]],
    ]);
  });
});

describe('packing', () => {
  test('takes out values in text, and leaves other bytes alone', async () => {
    const trace = join(folder, 'trace');
    writeFileSync(
      trace,
      Buffer.concat([
        record(append, 'trace.trace', '{"type":"before","params":{"value":"hunter22"}}\n{"cut'),
        record(whole, 'resources/x.dat', 'name=hunter22&é=1'),
        record(whole, 'resources/form.dat', 'user=ada&password=opensesame'),
        record(whole, 'resources/told.json', '{"é":1,"access_token":"opensesame","at":"/x?code=opensesame"}'),
        record(whole, 'resources/look.css', '.é{background:url(/a.png?sig=opensesame)}'),
        record(whole, 'resources/picture.png', '?token=stays'),
        record(whole, 'src/code.txt', "goto('/x?token=stays')"),
        record(append, 'trace.stacks', '[1,[[0,3,1,""]]]\n'),
      ]),
    );
    const packer = new Packer();
    const out = join(folder, 'packed.zip');
    const masks = new Masks();
    await masks.add('project_1', ['hunter22']);
    const packed = await packer.pack({ out, trace, secrets: masks.matchersOf('project_1') });
    await packer.close();
    const bytes = readFileSync(out);
    expect(packed).toEqual({ bytes: bytes.length });
    const entries = unzip(bytes);
    expect(entries.get('trace.trace')?.toString()).toBe(`{"type":"before","params":{"value":"${masked}"}}\n`);
    expect(entries.get('resources/x.dat')?.toString()).toBe(`name=${masked}&é=1`);
    const text = (name: string) => entries.get(name)?.toString();
    expect(text('resources/form.dat')).toBe('user=ada&password=***');
    expect(text('resources/told.json')).toBe(`{"é":1,"access_token":"${masked}","at":"/x?code=***1"}`);
    expect(text('resources/look.css')).toBe('.é{background:url(/a.png?sig=***1)}');
    expect(text('resources/picture.png')).toBe('?token=stays');
    expect(text('src/code.txt')).toBe("goto('/x?token=stays')");
    expect(JSON.parse(entries.get('trace.stacks')?.toString() ?? '')).toEqual({
      files: ['script'],
      stacks: [[1, [[0, 3, 1, '']]]],
    });
  });

  test('says why there is nothing, and never throws', async () => {
    const packer = new Packer();
    const missing = await packer.pack({ out: join(folder, 'a.zip'), trace: join(folder, 'none') });
    expect(missing.omitted).toContain('It could not be packed');
    await packer.close();
    expect(await packer.pack({ out: join(folder, 'b.zip') })).toEqual({
      omitted: 'The service was stopped.',
    });
  });
});
