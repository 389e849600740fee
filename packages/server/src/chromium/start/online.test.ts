import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { probeIsolation } from '../../process/process.ts';
import { onlineFilter } from './online.ts';

const { bwrap } = await probeIsolation({
  wanted: 'auto',
  path: process.env.PATH ?? '',
  runAs: '65534:65534',
});

test('only machines whose calls are known get a filter', () => {
  expect(onlineFilter('x64')).toHaveLength(80);
  expect(onlineFilter('arm64')).toHaveLength(80);
  expect(onlineFilter('x64')).not.toEqual(onlineFilter('arm64'));
  expect(onlineFilter('riscv64')).toBeUndefined();
});

/** Node asks for interfaces over netlink, as Chromium does. */
const program = `
const said = {};
try { said.interfaces = Object.keys(require('node:os').networkInterfaces()) } catch (error) { said.interfaces = error.errno }
const listener = require('node:net').createServer().listen(0, '127.0.0.1', () => {
  said.address = listener.address().address;
  console.log(JSON.stringify(said));
  listener.close();
});`;

test.runIf(bwrap).each([
  ['has no netlink to ask for interfaces, and the loopback as before', onlineFilter(), 97],
  ['without it has', undefined, ['lo']],
] as const)('a box with the filter %s', async (_, filter, interfaces) => {
  const box = [
    '--unshare-user',
    '--unshare-net',
    '--dev-bind',
    '/',
    '/',
    ...(filter ? ['--seccomp', '3'] : []),
  ];
  const child = spawn(bwrap ?? '', [...box, '--', process.execPath, '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  (child.stdio[3] as Writable).on('error', () => undefined).end(filter);
  expect(JSON.parse(await text(child.stdout as Readable))).toEqual({ interfaces, address: '127.0.0.1' });
});
