import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from './program.mjs';
import { capture } from './run.mjs';
import { freshBundle, isSettled, keepBundle, signatureOf } from './service-bundle.mjs';

let folder;
const sources = ['src/main.ts', 'src/part.ts'];
const at = (path) => join(folder, path);
const signatures = () => Object.fromEntries(sources.map((path) => [path, signatureOf(folder, path)]));

/** Until the file system's clock has moved on since the sources were written: its steps are some milliseconds long. */
function untilItsClockMoved() {
  const changedAt = (path) => statSync(at(path), { bigint: true }).ctimeNs;
  do writeFileSync(at('clock'), '');
  while (changedAt('clock') === changedAt('src/part.ts'));
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'browserd-bundle-'));
  mkdirSync(at('src'));
  for (const path of sources) writeFileSync(at(path), 'one\n');
  keepBundle('bundled', signatures(), folder);
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a bundle of the very files that are there is taken', () => {
  expect(freshBundle(folder)).toMatch(/main-[0-9a-f]{16}\.mjs$/);
});

test('an edit makes it stale, also one that leaves size and time of the file as they were', () => {
  const { atime, mtime } = statSync(at('src/part.ts'));
  untilItsClockMoved();
  writeFileSync(at('src/part.ts'), 'two\n');
  utimesSync(at('src/part.ts'), atime, mtime);
  expect(freshBundle(folder)).toBeUndefined();
});

test('a source or a bundle that is gone, or a record that is broken, makes it stale', () => {
  const bundle = freshBundle(folder);
  rmSync(bundle);
  expect(freshBundle(folder)).toBeUndefined();
  writeFileSync(bundle, 'bundled');
  expect(freshBundle(folder)).toBe(bundle);
  rmSync(at('src/main.ts'));
  expect(freshBundle(folder)).toBeUndefined();
  writeFileSync(join(bundle, '../record.json'), '{"file":');
  expect(freshBundle(folder)).toBeUndefined();
});

test('the copy of a clone does not run the bundle of the clone', () => {
  const copy = `${folder}-copy`;
  cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
  try {
    expect(freshBundle(copy)).toBeUndefined();
  } finally {
    rmSync(copy, { recursive: true });
  }
});

test('a new bundle takes the place of the old one', () => {
  writeFileSync(at('src/part.ts'), 'two\n');
  keepBundle('bundled again', signatures(), folder);
  const bundle = freshBundle(folder);
  expect(readdirSync(join(bundle, '..'))).toHaveLength(2);
});

test('a file that changed a moment before it was read is not relied on', () => {
  const signature = signatureOf(folder, 'src/main.ts');
  expect(isSettled(signature)).toBe(false);
  expect(isSettled(signature, Date.now() + 3000)).toBe(true);
});

test('the service of this clone can be bundled', async () => {
  expect(await capture(process.execPath, [join(root, 'scripts/bundle-service.mjs')])).toEqual({
    code: 0,
    output: '',
  });
});
