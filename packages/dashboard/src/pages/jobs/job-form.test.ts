import { expect, test } from 'vitest';
import { emptyJob, isIncomplete, jobOf, optionsTrouble } from './job-form.ts';

test('only what was filled in is sent, so that the service applies its defaults', () => {
  expect(jobOf({ ...emptyJob, url: ' https://example.com/ ' })).toEqual({
    kind: 'crawl',
    action: 'scrape',
    url: 'https://example.com/',
  });
  const whole = {
    ...emptyJob,
    name: 'docs',
    url: 'https://example.com/',
    maxPages: '20',
    maxDepth: '0',
    include: '/docs/*\n\n /blog/* ',
    concurrency: '2',
    options: '{"format": "text"}',
  };
  expect(jobOf({ ...whole, kind: 'map' })).toEqual({
    kind: 'map',
    name: 'docs',
    url: 'https://example.com/',
    maxPages: 20,
    maxDepth: 0,
    include: ['/docs/*', '/blog/*'],
    concurrency: 2,
    options: { format: 'text' },
  });
});

test('a batch has an address a line, and nothing of a site', () => {
  const form = {
    ...emptyJob,
    kind: 'batch' as const,
    action: 'pdf' as const,
    url: 'https://other.example',
    maxPages: '3',
  };
  expect(isIncomplete(form)).toBe(true);
  expect(jobOf({ ...form, addresses: 'https://a.example\r\n\n https://b.example' })).toEqual({
    kind: 'batch',
    action: 'pdf',
    items: [{ url: 'https://a.example' }, { url: 'https://b.example' }],
  });
});

test('options are a JSON object or nothing', () => {
  expect(['', ' ', '{}', '{"format": "text"}'].map(optionsTrouble)).toEqual(Array(4).fill(undefined));
  for (const wrong of ['[]', 'null', '1', '{']) expect(optionsTrouble(wrong)).toContain('JSON object');
});
