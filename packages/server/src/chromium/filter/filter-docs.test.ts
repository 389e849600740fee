import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { protocol } from './filter.fixture.ts';
import { openMethods } from './methods.ts';
import { ruledMethods } from './rules.ts';

/** docs/cdp.md tells clients what is refused; the tables of the filter decide it. */
const page = readFileSync(new URL('../../../../../docs/cdp.md', import.meta.url), 'utf8');
const section = page.split(/^### Methods$/m)[1]?.split(/^## /m)[0] ?? '';
const told = section
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)\.(\w+|\*)`/g)])
  .map(([, domain = '', method = '']) => ({ domain, method }));

const isTold = (name: string): boolean =>
  told.some(
    ({ domain, method }) =>
      name === `${domain}.${method}` || (method === '*' && name.startsWith(`${domain}.`)),
  );
const isAllowed = (name: string): boolean => openMethods.has(name) || ruledMethods.has(name);

describe('docs/cdp.md', () => {
  test('names every method of the protocol that is refused', () => {
    expect(protocol.filter((name) => !isAllowed(name) && !isTold(name))).toEqual([]);
  });

  test('names none that is allowed, and none that does not exist', () => {
    expect(protocol.filter((name) => isAllowed(name) && isTold(name))).toEqual([]);
    const unknown = told.filter(({ domain, method }) =>
      method === '*'
        ? !protocol.some((name) => name.startsWith(`${domain}.`))
        : !protocol.includes(`${domain}.${method}`),
    );
    expect(unknown).toEqual([]);
  });
});
