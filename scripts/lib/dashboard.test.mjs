import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashOfSources } from './dashboard.mjs';

let folder;
const write = (name, text) => writeFileSync(join(folder, name), text);
const hash = () => hashOfSources(folder, ['page.html', 'src']);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'browserd-sources-'));
  mkdirSync(join(folder, 'src/rooms'), { recursive: true });
  write('page.html', 'a page');
  write('src/main.tsx', 'main');
  write('src/rooms/list.tsx', 'list');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('what the dashboard is made of is known by its content, wherever it lies', () => {
  const before = hash();
  expect(hash()).toBe(before);
  write('src/rooms/list.tsx', 'another list');
  const changed = hash();
  renameSync(join(folder, 'src/rooms/list.tsx'), join(folder, 'src/list.tsx'));
  expect(new Set([before, changed, hash()]).size).toBe(3);
});

test('a new file is a change, a test or a file outside is none', () => {
  const before = hash();
  write('src/rooms/list.test.tsx', 'a test');
  write('other.txt', 'other');
  expect(hash()).toBe(before);
  write('src/style.css', 'body {}');
  expect(hash()).not.toBe(before);
});
