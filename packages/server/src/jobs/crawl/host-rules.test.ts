import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { ApiError } from '../../errors.ts';
import { type FetchFile, HostRules } from './host-rules.ts';

const page = 'https://a.test/page';

/** A host that gives these answers to its robots.txt, one after the other. */
function host(...answers: (number | string | Error)[]): { fetch: FetchFile; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    fetch: async (url) => {
      asked.push(url);
      const answer = answers.shift() ?? 404;
      if (answer instanceof Error) throw answer;
      const statusCode = typeof answer === 'number' ? answer : 200;
      const content = Readable.from([Buffer.from(String(answer))]);
      return { finalUrl: url, statusCode, headers: {}, content };
    },
  };
}

test('a host is asked once, also when many of its pages come at the same time', async () => {
  const { fetch, asked } = host('user-agent: *\ndisallow: /private');
  const rules = new HostRules();
  await Promise.all([rules.of(page, fetch), rules.of('https://a.test/private', fetch)]);
  await rules.of('https://a.test/other', fetch);
  expect(asked).toEqual(['https://a.test/robots.txt']);
  expect([rules.allows('https://a.test/private'), rules.allows(page)]).toEqual([false, true]);
  // of a host that was not asked yet nothing is known
  expect(rules.allows('https://b.test/private')).toBe(true);
});

test('a host that cannot say its rules is asked three times, and then left alone', async () => {
  const timeout = new ApiError('QUICK_ACTION_TIMEOUT', 'It was not there in time.');
  const { fetch, asked } = host(503, 429, timeout);
  const rules = new HostRules();
  expect(await rules.of(page, fetch)).toEqual({ againInMs: 2000 });
  expect(await rules.of(page, fetch)).toEqual({ againInMs: 10_000 });
  expect(await rules.of(page, fetch)).toEqual({ unknown: 'It was not there in time.' });
  expect(await rules.of(page, fetch)).toEqual({ unknown: 'It was not there in time.' });
  expect(asked.length).toBe(3);
});

test('what is not the fault of the host is thrown, and the host is asked again', async () => {
  const { fetch } = host(new ApiError('CAPACITY_EXHAUSTED', 'There is no room.'), 404);
  const rules = new HostRules();
  await expect(rules.of(page, fetch)).rejects.toMatchObject({ code: 'CAPACITY_EXHAUSTED' });
  expect(await rules.of(page, fetch)).toMatchObject({ robots: { delayMs: 0 } });
});

test('a host that the policy refuses is refused with its pages, not for its rules', async () => {
  const { fetch } = host(new ApiError('POLICY_BLOCKED', 'The policy refuses it.'));
  expect(await new HostRules().of(page, fetch)).toMatchObject({ robots: { sitemaps: [] } });
});

test('of any number of hosts, no more than a hundred are remembered', async () => {
  const { fetch, asked } = host();
  const rules = new HostRules();
  for (let n = 0; n <= 100; n++) await rules.of(`https://h${n}.test/`, fetch);
  await rules.of('https://h1.test/', fetch);
  expect(asked.length).toBe(101);
  await rules.of('https://h0.test/', fetch);
  expect(asked.length).toBe(102);
});
