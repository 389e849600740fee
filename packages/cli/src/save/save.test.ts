import { lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeWhole } from '../whole-file.ts';
import { safeName } from './save.ts';

describe('a name from outside', () => {
  test('is one part, visible and not hidden', () => {
    expect(safeName('../../etc/passwd', 'x')).toBe('passwd');
    expect(safeName('..\\..\\autorun.inf', 'x')).toBe('autorun.inf');
    expect(safeName('.bashrc', 'x')).toBe('bashrc');
    expect(safeName('a\u001b[31m\u202etxt.exe\n', 'x')).toBe('a[31mtxt.exe');
    expect(safeName('..', 'x')).toBe('x');
    expect(safeName('', 'x')).toBe('x');
    expect(safeName(undefined, 'x')).toBe('x');
    expect(safeName('Bericht 2026 – größer.pdf', 'x')).toBe('Bericht 2026 – größer.pdf');
  });

  test('never leaves the folder', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0x2fff })), (points) => {
        const safe = safeName(String.fromCodePoint(...points), 'x');
        expect(safe).not.toMatch(/[/\\\0]/);
        expect(['', '.', '..']).not.toContain(safe);
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200);
      }),
    );
  });
});

describe('a file that is written whole', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'browserd-cli-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const bytes = (...texts: string[]): Buffer[] => texts.map((text) => Buffer.from(text));

  test('has all its parts, its mode, and replaces another only on request', async () => {
    const path = join(folder, 'a');
    expect(await writeWhole(path, bytes('one', 'two'), { replace: false, mode: 0o600 })).toBe(6);
    expect(await readFile(path, 'utf8')).toBe('onetwo');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await expect(writeWhole(path, bytes('three'), { replace: false })).rejects.toThrow('--force');
    expect(await readFile(path, 'utf8')).toBe('onetwo');
    await writeWhole(path, bytes('three'), { replace: true });
    expect(await readFile(path, 'utf8')).toBe('three');
  });

  test('is written where a link leads only when the caller named the link', async () => {
    const [target, path] = [join(folder, 'target'), join(folder, 'link')];
    await writeFile(target, 'old');
    await symlink(target, path);
    await writeWhole(path, bytes('new'), { replace: true, follow: true });
    expect((await lstat(path)).isSymbolicLink()).toBe(true);
    expect(await readFile(target, 'utf8')).toBe('new');
    await writeWhole(path, bytes('other'), { replace: true });
    expect((await lstat(path)).isSymbolicLink()).toBe(false);
    expect(await readFile(target, 'utf8')).toBe('new');
  });

  test('leaves the old one and nothing else when it is aborted', async () => {
    const path = join(folder, 'b');
    await writeFile(path, 'old');
    async function* breaks(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('new');
      throw new Error('broke off');
    }
    await expect(writeWhole(path, breaks(), { replace: true })).rejects.toThrow('broke off');
    expect(await readFile(path, 'utf8')).toBe('old');
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});
