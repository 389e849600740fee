import { describe, expect, test } from 'vitest';
import { ProviderClient, ProviderError } from './provider-client.ts';
import { answerIn, taskFor } from './provider-tasks.ts';

/** The protocol, against answers as the services give them. */
const key = 'key-of-the-account';
const signal = new AbortController().signal;

function clientOf(answers: (object | string)[]): { client: ProviderClient; calls: [string, unknown][] } {
  const calls: [string, unknown][] = [];
  const client = new ProviderClient(
    {
      url: 'https://provider.example',
      key,
      post: async (url, { body }) => {
        calls.push([url, JSON.parse(body)]);
        const next = answers.shift() ?? '';
        return {
          status: next === '' ? 502 : 200,
          body: typeof next === 'string' ? next : JSON.stringify(next),
        };
      },
    },
    1,
  );
  return { client, calls };
}

const failure = (client: ProviderClient) =>
  client.solve({ type: 'Any' }, signal).catch((error: unknown) => error);

describe('a task', () => {
  test('is made, asked for until it is ready, and tells what it cost', async () => {
    const { client, calls } = clientOf([
      { errorId: 0, taskId: 12 },
      { errorId: 0, status: 'processing' },
      { errorId: 0, status: 'ready', solution: { token: 't' }, cost: 0.001 },
    ]);
    expect(await client.solve({ type: 'Any' }, signal)).toEqual({ solution: { token: 't' }, cost: '0.001' });
    expect(calls).toEqual([
      ['https://provider.example/createTask', { clientKey: key, task: { type: 'Any' } }],
      ['https://provider.example/getTaskResult', { clientKey: key, taskId: 12 }],
      ['https://provider.example/getTaskResult', { clientKey: key, taskId: 12 }],
    ]);
  });

  test('that is solved at once is not asked for', async () => {
    const { client, calls } = clientOf([
      { errorId: 0, taskId: 'x', status: 'ready', solution: { text: 'abc' } },
    ]);
    expect(await client.solve({}, signal)).toEqual({ solution: { text: 'abc' } });
    expect(calls).toHaveLength(1);
  });

  test.each([
    [{ errorId: 1, errorCode: 'ERROR_ZERO_BALANCE' }, 'its account is empty'],
    [{ errorId: 1, errorCode: 'ERROR_X', errorDescription: `no ${key}` }, 'no [key]'],
    [{ errorId: 0 }, 'gave it no id'],
    ['<html>', 'no usable body'],
    ['', 'status 502'],
    ['[1]', 'gave it no id'],
    ['null', 'no usable body'],
  ])('that fails with %j says why', async (answer, words) => {
    const error = await failure(clientOf([answer]).client);
    expect(error).toBeInstanceOf(ProviderError);
    expect((error as Error).message).toContain(words);
    expect((error as Error).message).not.toContain(key);
  });
});

test('services that name a task otherwise get their own name', () => {
  const frame = { url: 'https://site.example/', sessionId: '', frameId: '', loaderId: '' };
  const sighting = { type: 'recaptcha-v2', sitekey: 'k', frame, invisible: true } as Parameters<
    typeof taskFor
  >[1];
  expect(taskFor('https://api.2captcha.com', sighting)).toEqual({
    type: 'RecaptchaV2TaskProxyless',
    websiteURL: 'https://site.example/',
    websiteKey: 'k',
    isInvisible: true,
  });
  expect(taskFor('https://api.capsolver.com', sighting)).toMatchObject({ type: 'ReCaptchaV2TaskProxyLess' });
});

test('an answer is found under each of its names, and nothing else is one', () => {
  expect([{ gRecaptchaResponse: 'a' }, { token: 'b' }, { text: 'c' }].map(answerIn)).toEqual(['a', 'b', 'c']);
  expect([undefined, null, 'x', {}, { token: 1 }].map(answerIn)).toEqual(Array(5).fill(undefined));
});
