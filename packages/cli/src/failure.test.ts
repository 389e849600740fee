import { BrowserdError, ConnectionError } from '@browserd/sdk';
import { expect, test } from 'vitest';
import { looksLikeVersion } from './commands/service/doctor.ts';
import { errorDocument, exitCodeOf, explain, Failure, Interrupted, wrongUsage } from './failure.ts';
import { isRecentEnough } from './server/node-for-server.ts';

const refused = (code: string, status: number): BrowserdError =>
  new BrowserdError(
    { code, message: 'No.', category: 'x', nextStep: 'retry', details: { requestId: 'req_1' } },
    status,
  );

test('the exit code says whose fault it is', () => {
  const codes: [unknown, number][] = [
    [refused('BROWSER_NOT_FOUND', 404), 1],
    [refused('POLICY_BLOCKED', 403), 1],
    [new Failure('no'), 1],
    [new Error('ours'), 1],
    [wrongUsage('no'), 2],
    [refused('INVALID_ARGUMENT', 0), 2],
    [new ConnectionError('CONNECTION_FAILED', 'no'), 3],
    [new ConnectionError('TIMED_OUT', 'no'), 3],
    [refused('UNEXPECTED_ANSWER', 502), 3],
    [refused('UNAUTHENTICATED', 401), 4],
    [refused('FORBIDDEN', 403), 4],
    [new Interrupted(130), 130],
  ];
  for (const [error, code] of codes) expect(exitCodeOf(error), String(error)).toBe(code);
});

test('an error is printed with advice, and as a document for programs', () => {
  expect(explain(refused('UNAUTHENTICATED', 401)).join('\n')).toMatch(
    /admin-key[\s\S]*browserd config set key/,
  );
  expect(explain(refused('X', 500)).at(-1)).toBe('next step: retry, request req_1');
  expect(errorDocument(refused('X', 500))).toMatchObject({
    error: { code: 'X', nextStep: 'retry', status: 500 },
  });
  expect(errorDocument(wrongUsage('so'))).toEqual({ error: { code: 'WRONG_USAGE', message: 'so' } });
});

test('the service is run on a Node that can run it', () => {
  expect(['26.0.0', '24.16.1', '27.1.0'].every(isRecentEnough)).toBe(true);
  expect(['20.19.0', '24.15.0', '25.9.0'].some(isRecentEnough)).toBe(false);
});

test('only what looks like a version gets into a command to copy', () => {
  expect(['0.1.0', '1.2.3-rc.1+5'].every(looksLikeVersion)).toBe(true);
  expect(['latest', '1; id', '1 evil', '$(id)', `1${'0'.repeat(50)}`].some(looksLikeVersion)).toBe(false);
});
