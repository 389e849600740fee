import { expect, test } from 'vitest';
import { RefusedUploads } from './refused-uploads.ts';

const look = (what: string, sessionId = 'page') => ({
  id: 1,
  method: 'Runtime.callFunctionOn',
  params: { functionDeclaration: what },
  sessionId,
});

test('the look that a client repeats with its upload ends in the refusal, once', () => {
  const uploads = new RefusedUploads();
  expect(uploads.answerTo(look('find the input'))).toBeUndefined();
  uploads.refused('page', ['/a'], 'not here');
  expect(uploads.answerTo(look('find the input'))).toBeUndefined();
  uploads.refused('page', ['/a'], 'not here');
  expect(uploads.answerTo(look('another'))).toBeUndefined();
  expect(uploads.answerTo(look('find the input', 'other page'))).toBeUndefined();
  expect(uploads.answerTo(look('find the input'))).toMatchObject({
    exceptionDetails: { exception: { description: 'Error: not here' } },
  });
  expect(uploads.answerTo(look('find the input'))).toBeUndefined();
});

test('an upload of other files is no repetition', () => {
  const uploads = new RefusedUploads();
  uploads.refused('page', ['/a'], 'not here');
  uploads.answerTo(look('find the input'));
  uploads.refused('page', ['/b'], 'not here');
  expect(uploads.answerTo(look('find the input'))).toBeUndefined();
});
