import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { Cdp } from './cdp.ts';

test.each([
  ['is no JSON', 'nonsense\0'],
  [
    'is larger than the limit',
    `${JSON.stringify({ method: 'Target.targetCreated', params: 'x'.repeat(100) })}\0`,
  ],
  ['makes a listener throw', `${JSON.stringify({ method: 'Target.targetCreated', params: {} })}\0`],
])('what Chromium sent and %s is a fault of that Chromium, and nothing is read after it', async (_, sent) => {
  const output = new PassThrough();
  const faults: string[] = [];
  const cdp = new Cdp({
    input: new PassThrough(),
    output,
    timeoutMs: 1000,
    messageLimitBytes: 80,
    onFault: ({ message }) => faults.push(message),
  });
  let heard = 0;
  cdp.on('Target.targetCreated', () => {
    heard++;
    throw new Error('a bug in a listener');
  });
  output.write(sent);
  output.write(sent);
  await expect.poll(() => faults).toHaveLength(1);
  await new Promise(setImmediate);
  expect([faults.length, heard]).toEqual([1, sent.length < 80 && sent.startsWith('{') ? 1 : 0]);
});
