import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { atOnce } from '../kit/at-once.ts';
import { KnownValues, partOfValues } from './known-values.ts';
import { maskedText } from './mask-text.ts';

const forever = Number.POSITIVE_INFINITY;
const add = (known: KnownValues, values: string[], until = forever): void =>
  known.add(values, atOnce(partOfValues(values)), until);
const shown = (known: KnownValues, text: string): string => maskedText(known.matchers, text);

describe('values that come one by one', () => {
  test('are searched for by few matchers, and each is learned anew a few times', () => {
    const known = new KnownValues();
    const values = [...Array(300).keys()].map((n) => `value number ${n}.`);
    let steps = 0;
    let learned = 0;
    for (const value of values) {
      const before = known.matchers;
      add(known, [value]);
      for (const joining = known.join(forever); !joining.next().done; ) steps++;
      for (const matcher of known.matchers) if (!before.includes(matcher)) learned += matcher.letters.length;
      expect(known.matchers.length).toBeLessThan(10);
    }
    for (const value of values) expect(shown(known, `it is ${value}`)).toBe('it is •••');
    // A matcher for all of them at each value would have learned 150 times as much as there is.
    expect(learned).toBeLessThan(25 * known.bytes);
    expect(steps).toBeGreaterThan(0);
  });

  test('are found while they are joined, also one that comes meanwhile', () => {
    const known = new KnownValues();
    add(known, ['first value', 'x'.repeat(4000)]);
    add(known, ['second value', 'y'.repeat(4000)]);
    const joining = known.join(forever);
    joining.next();
    add(known, ['third value']);
    expect(atOnce(known.join(forever))).toBeUndefined();
    const text = 'first value, second value, third value';
    expect(shown(known, text)).toBe('•••, •••, •••');
    atOnce(joining);
    expect(shown(known, text)).toBe('•••, •••, •••');
    expect(known.matchers).toHaveLength(2);
  });

  test('are forgotten when they mean nothing any more, and take no room then', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const known = new KnownValues();
    add(known, ['hunter22']);
    const { bytes } = known;
    add(known, ['123456'], Date.now() + 600_000);
    expect([shown(known, '123456'), known.holdNumbers]).toEqual(['•••', true]);
    vi.setSystemTime(Date.now() + 599_999);
    expect(shown(known, '123456')).toBe('•••');
    vi.setSystemTime(Date.now() + 300_001);
    expect([shown(known, '123456'), known.holdNumbers, known.bytes]).toEqual(['123456', false, bytes]);
    add(known, ['123456'], Date.now() + 600_000);
    expect([shown(known, '123456'), shown(known, 'hunter22')]).toEqual(['•••', '•••']);
  });
});
