import { describe, expect, test } from 'vitest';
import { ClientChallenges, challengeIn } from './challenges.ts';

const event = (requestId: string, authChallenge: object, url = 'https://a.test/'): Buffer =>
  Buffer.from(
    JSON.stringify({
      method: 'Fetch.authRequired',
      params: {
        requestId,
        request: { url, headers: {} },
        frameId: 'F',
        resourceType: 'Document',
        authChallenge,
      },
      sessionId: '0'.repeat(32),
    }),
  );
const asked = (origin: string, realm = 'x') => ({ source: 'Server', origin, scheme: 'basic', realm });

test('who asks is read off the end of the event, whatever a page or a site writes into it', () => {
  expect(challengeIn(event('job-1.0', asked('https://a.test')))).toEqual({
    requestId: 'job-1.0',
    origin: 'https://a.test',
  });
  const fake = '"authChallenge":{"source":"Server","origin":"https://b.test"';
  const cheated = event('job-2.0', asked('https://a.test', fake), `https://a.test/?${fake}`);
  expect(challengeIn(cheated)?.origin).toBe('https://a.test');
  expect(challengeIn(event('job-3.0', { ...asked('https://a.test'), source: 'Proxy' }))).toBeUndefined();
  expect(challengeIn(Buffer.from('{"method":"Fetch.authRequired","params":{}}'))).toBeUndefined();
});

describe('a client that has no credentials', () => {
  const known = { username: 'ada', password: 'open sesame' };
  const challenges = () =>
    new ClientChallenges((origin) => (origin === 'https://a.test' ? known : undefined));
  const answer = (requestId: string, response = 'Default') => ({
    requestId,
    authChallengeResponse: { response },
  });
  const heard = (at: ClientChallenges, requestId: string, origin: string): void =>
    at.heard('Fetch.authRequired', event(requestId, asked(origin)));

  test('gives those of the browser once for each request, then none', () => {
    const at = challenges();
    heard(at, 'job-1.0', 'https://a.test');
    const given = {
      requestId: 'job-1.0',
      authChallengeResponse: { response: 'ProvideCredentials', ...known },
    };
    expect(at.answer('Fetch.continueWithAuth', answer('job-1.0'))).toEqual(given);
    heard(at, 'job-1.0', 'https://a.test');
    expect(at.answer('Fetch.continueWithAuth', answer('job-1.0'))).toEqual(answer('job-1.0', 'CancelAuth'));
  });

  test('has its own words left as they are', () => {
    const at = challenges();
    heard(at, 'job-1.0', 'https://a.test');
    const cancelled = answer('job-1.0', 'CancelAuth');
    expect(at.answer('Fetch.continueWithAuth', cancelled)).toBe(cancelled);
    const unasked = answer('job-9.0');
    expect(at.answer('Fetch.continueWithAuth', unasked)).toBe(unasked);
    heard(at, 'job-2.0', 'https://b.test');
    const elsewhere = answer('job-2.0');
    expect(at.answer('Fetch.continueWithAuth', elsewhere)).toBe(elsewhere);
    const other = { requestId: 'job-1.0' };
    expect(at.answer('Fetch.continueRequest', other)).toBe(other);
  });
});
