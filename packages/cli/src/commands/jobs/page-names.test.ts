import { basename } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PageNames } from './page-names.ts';

const namesOf = (addresses: string[], home?: string): string[] => {
  const names = new PageNames(home);
  return addresses.map((address) => names.next(address, 'md'));
};

test('a page is called by its path, and by its host where that is another', () => {
  const home = 'https://example.com/docs';
  expect(
    namesOf(
      [
        'https://example.com/',
        'https://example.com/docs/Intro.html',
        'https://example.com/list?page=2&sort=name',
        'https://www.example.com/docs/',
        'https://example.com/stra%C3%9Fe/%E4%B8%AD',
      ],
      home,
    ),
  ).toEqual([
    'index.md',
    'docs-Intro.html.md',
    'list-page=2-sort=name.md',
    'www.example.com-docs.md',
    'straße-中.md',
  ]);
});

test('no two pages have one name, also where a file system folds letters, and names in use are left alone', () => {
  const names = new PageNames();
  names.take('e.test-index.md');
  const given = ['/index', '/a/b', '/a-b', '/A/B', '/a/b'].map((path) =>
    names.next(`https://e.test${path}`, 'md'),
  );
  expect(new Set(given.map((name) => name.toLowerCase())).size).toBe(given.length);
  expect(given[0]).toMatch(/^e\.test-index-[0-9a-f]{8}\.md$/);
  expect(given[1]).toBe('e.test-a-b.md');
});

test('no address leads out of the folder, hides its file, or has a name that a system keeps for itself', () => {
  const hostile = [
    'https://e.test/../../etc/passwd',
    'https://e.test/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    'https://e.test/..%5c..%5cwindows',
    'https://e.test/.bashrc',
    'https://e.test/%00%0a%1b[31m',
    'https://e.test/con',
    'https://e.test/%ff',
    'https://e.test/index.ndjson',
    'no address',
    '',
  ];
  const names = namesOf(hostile, 'https://e.test');
  for (const name of names) {
    expect(name).toBe(basename(name));
    expect(name).toMatch(/^[^./\\\p{Cc}][^/\\\p{Cc}]*\.md$/u);
  }
  expect(names[5]).toBe('con-page.md');
});

test('whatever the addresses, names are plain, short and different', () => {
  const address = fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(fc.array(address, { maxLength: 12 }), fc.nat(400), (addresses, length) => {
      const long = `https://e.test/${'ä'.repeat(length)}`;
      const names = namesOf([...addresses, long, `${long}x`]);
      expect(new Set(names.map((name) => name.normalize('NFC').toLowerCase())).size).toBe(names.length);
      for (const name of names) {
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
        expect(name).toMatch(/^[^./\\\p{Cc}][^/\\\p{Cc}]*\.md$/u);
      }
    }),
    { numRuns: 50 },
  );
});
