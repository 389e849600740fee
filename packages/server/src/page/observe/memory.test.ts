/** How long an observation can be compared with. */
import { expect, test } from 'vitest';
import { Memory } from './memory.ts';

const seen = (text: string, more: object = {}) => ({
  ...{ keyId: 'key_1', tabId: 'tab', asked: '[]', document: 'first', text },
  ...more,
});

test('the last one of a caller is the newest that asked for the same', () => {
  const memory = new Memory();
  memory.add(seen('one'));
  const two = memory.add(seen('two'));
  memory.add(seen('other key', { keyId: 'key_2' }));
  memory.add(seen('other tab', { tabId: 'other' }));
  memory.add(seen('other fields', { asked: '[1]' }));
  expect(memory.last(seen(''))).toBe(two);
  expect(memory.get(two.id)?.text).toBe('two');
});

test('the oldest are forgotten first, by number and by size, and the newest never', () => {
  const memory = new Memory();
  const first = memory.add(seen('first'));
  const later = Array.from({ length: 24 }, (_, at) => memory.add(seen(`${at}`)));
  expect(memory.get(first.id)).toBeUndefined();
  expect(memory.get(later[0]?.id ?? '')?.text).toBe('0');
  const huge = memory.add(seen('x'.repeat(5_000_000)));
  expect(later.filter(({ id }) => memory.get(id))).toEqual([]);
  expect(memory.get(huge.id)).toBe(huge);
});
