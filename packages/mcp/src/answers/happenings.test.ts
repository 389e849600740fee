import type { api } from '@browserd/sdk';
import { expect, test } from 'vitest';
import { happeningsOf, openDialogOf } from './happenings.ts';

const at = '2026-01-01T00:00:00.000Z';
const after = (activity: object[], error?: { code: string }) =>
  ({ activity: activity.map((entry) => ({ at, ...entry })), error }) as unknown as api.ScriptExecution;

test('what a page did beside what it shows is told, repetitions once, inside a fence', () => {
  const told = happeningsOf(
    after([
      { type: 'navigation', url: 'https://a.example/' },
      { type: 'dialog', dialog: 'confirm', message: 'sure?', state: 'dismissed', closedBy: 'mode' },
      { type: 'download', suggestedFilename: 'a.pdf', url: 'https://a.example/a' },
      { type: 'console_error', text: 'oops' },
      { type: 'console_error', text: 'oops' },
    ]),
  );
  expect(told?.split('\n').slice(1, -1)).toEqual([
    'dialog (confirm, dismissed, as this browser answers all of them): sure?',
    'download began: a.pdf | https://a.example/a',
    'console error: oops (2 times)',
  ]);
  expect(happeningsOf(after([{ type: 'navigation', url: 'x' }]))).toBeUndefined();
});

test('a page that does much is cut', () => {
  const many = Array.from({ length: 200 }, (_, n) => ({
    type: 'console_error',
    text: `${n} ${'x'.repeat(5000)}`,
  }));
  const told = happeningsOf(after(many)) ?? '';
  expect(told).toContain('(185 more)');
  expect(told.length).toBeLessThan(6000);
});

test('only a dialog that opened in the call and is open is its outcome', () => {
  const dialog = { type: 'dialog', dialog: 'alert', dialogId: 'dialog_1', message: '' };
  const error = { code: 'DIALOG_OPEN' };
  expect(openDialogOf(after([dialog], error))).toEqual({ dialogId: 'dialog_1', type: 'alert' });
  expect(openDialogOf(after([], error))).toBeUndefined();
  expect(openDialogOf(after([{ ...dialog, state: 'accepted' }], error))).toBeUndefined();
  expect(openDialogOf(after([dialog]))).toBeUndefined();
});
