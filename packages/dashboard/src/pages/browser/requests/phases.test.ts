import type { api } from '@browserd/sdk';
import { expect, test } from 'vitest';
import { phasesOf } from './phases.ts';

const took = (durationMs: number | undefined, timing?: Partial<api.NetworkRequest['timing']>) =>
  phasesOf({
    durationMs,
    timing: timing && { blocked: -1, connect: -1, tls: -1, send: -1, wait: -1, receive: -1, ...timing },
  } as api.NetworkRequest);

test('phases follow each other, TLS is taken out of the connection, and parts that do not apply are left out', () => {
  expect(took(30, { blocked: 2, connect: 10, tls: 6, send: 1, wait: 12, receive: 5 })).toEqual([
    { name: 'blocked', from: 0, ms: 2 },
    { name: 'connect', from: 2, ms: 4 },
    { name: 'tls', from: 6, ms: 6 },
    { name: 'send', from: 12, ms: 1 },
    { name: 'wait', from: 13, ms: 12 },
    { name: 'receive', from: 25, ms: 5 },
  ]);
});

test('time of no part stands at the beginning', () => {
  expect(took(20, { wait: 5, receive: 5 })).toEqual([
    { name: 'other', from: 0, ms: 10 },
    { name: 'wait', from: 10, ms: 5 },
    { name: 'receive', from: 15, ms: 5 },
  ]);
});

test('without times there are no phases', () => {
  expect(took(20)).toEqual([]);
  expect(took(undefined, { wait: 5 })).toEqual([]);
});
