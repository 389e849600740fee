import { describe, expect, test } from 'vitest';
import type { RequestRule } from '../record/rule-schema.ts';
import type { Asked } from './asked.ts';
import { patternsFor } from './patterns.ts';
import { closedHosts, RuleSet } from './rule-set.ts';

const block = (match: RequestRule['match']): RequestRule => ({ match, do: { action: 'block' } });
const delay = (match: RequestRule['match']): RequestRule => ({ match, do: { action: 'delay', ms: 1 } });
const allow = (match: RequestRule['match']): RequestRule => ({ match, do: { action: 'allow' } });

function asked(url: string, more: Partial<Asked> = {}): Asked {
  const parsed = new URL(url);
  const host = parsed.hostname.replace(/^\[|\]$/g, '');
  return { url, parsed, host, type: 'image', method: 'GET', isPage: false, source: undefined, ...more };
}

const applying = (rules: RequestRule[], request: Asked): number[] =>
  new RuleSet(rules).for(request).map(({ index }) => index);

describe('rules', () => {
  test('with a host and without one keep their order', () => {
    const rules = [
      delay({ host: 'b.example' }),
      delay({}),
      delay({ host: 'a.b.example' }),
      block({ type: 'image' }),
      delay({}),
    ];
    expect(applying(rules, asked('https://a.b.example/'))).toEqual([0, 1, 2, 3]);
    expect(applying(rules, asked('https://b.example/', { type: 'font' }))).toEqual([0, 1, 4]);
    expect(applying(rules, asked('https://ab.example/', { type: 'font' }))).toEqual([1, 4]);
  });

  test('about an address are for that address alone', () => {
    const rules = [block({ host: '::1' }), block({ host: '10.0.0.1' })];
    expect(applying(rules, asked('http://[::1]:8080/'))).toEqual([0]);
    expect(applying(rules, asked('http://10.0.0.1/'))).toEqual([1]);
    expect(applying(rules, asked('http://1.10.0.0/'))).toEqual([]);
  });

  test('tell sites apart by their registrable domains', () => {
    const rules = [block({ thirdParty: true })];
    const from = (source: string, url: string) => applying(rules, asked(url, { source: new URL(source) }));
    expect(from('https://www.shop.co.uk/', 'https://cdn.shop.co.uk/')).toEqual([]);
    expect(from('https://www.shop.co.uk/', 'https://other.co.uk/')).toEqual([0]);
    expect(from('http://10.0.0.1/', 'http://10.0.0.2/')).toEqual([0]);
    expect(applying(rules, asked('https://other.co.uk/'))).toEqual([]);
  });
});

test('only a host that is blocked altogether is closed', () => {
  const rules = [
    block({ host: 'a.example' }),
    block({ host: 'b.example', type: 'image' }),
    allow({ type: 'font' }),
    block({ host: 'c.example' }),
  ];
  expect(closedHosts(rules)).toEqual(['a.example']);
});

describe('Chromium is asked to stop', () => {
  test('no more than the rules are about', () => {
    const rules = [
      block({ host: 'a.example' }),
      block({ type: 'script' }),
      block({ url: 'https://b.example/?q=*' }),
      block({ host: 'a.example' }),
    ];
    expect(patternsFor({ rules })).toEqual([
      { urlPattern: '*://*a.example*' },
      { urlPattern: '*', resourceType: 'Script' },
      { urlPattern: 'https://b.example/\\?q=*' },
    ]);
  });

  test('everything where a list is asked, or a header must be taken off again', () => {
    const everything = [{ urlPattern: '*' }];
    expect(patternsFor({ rules: [block({ host: 'a.example' })], lists: ['ads'] })).toEqual(everything);
    const set: RequestRule = { match: { host: 'a.example' }, do: { action: 'headers', set: { a: 'b' } } };
    expect(patternsFor({ rules: [set, block({ host: 'b.example' })] })).toEqual(everything);
    expect(patternsFor({ rules: [block({ type: 'other' })] })).toEqual(everything);
  });
});
