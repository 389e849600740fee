import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Cdp } from '../../chromium/chromium.ts';
import { TabLimits } from './tab-limits.ts';
import { type Limited, Watchers } from './watchers.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function limitsWith(mostTabs: number) {
  const told: Limited[] = [];
  const watchers = new Watchers();
  watchers.add({ limited: (what) => told.push(what) });
  const cdp = { onEnd: () => () => undefined } as unknown as Cdp;
  return { told, limits: new TabLimits(cdp, watchers, mostTabs, (targetId) => `tab ${targetId}`) };
}
const page = (targetId: string, openerId?: string) =>
  ({
    targetId,
    openerId,
    type: 'page',
    url: '',
    title: '',
    attached: false,
    canAccessOpener: false,
  }) as const;

test('pages may open ten windows a second; the others are told as one number', () => {
  const { told, limits } = limitsWith(1000);
  const admitted = Array.from({ length: 500 }, (_, n) => limits.admits(page(`t${n}`, 'opener'), n));
  expect(admitted.filter(Boolean)).toHaveLength(10);
  // asked again about the same one, the answer is the same and it is not counted twice
  expect(limits.admits(page('t0', 'opener'), 10)).toBe(true);
  expect(limits.admits(page('t499', 'opener'), 10)).toBe(false);
  vi.advanceTimersByTime(2000);
  expect(told).toMatchObject([{ limit: 'popups', count: 490, tabId: 'tab opener' }]);
  expect(limits.admits(page('later', 'opener'), 10)).toBe(true);
});

test('tabs that callers open have no limit but the number of tabs, and frames and workers have none', () => {
  const { told, limits } = limitsWith(50);
  for (let n = 0; n < 50; n++) expect(limits.admits(page(`t${n}`), n)).toBe(true);
  expect(limits.refusal(49)).toBeUndefined();
  expect(limits.refusal(50)).toContain('as many tabs as it may (50)');
  expect(limits.admits(page('one more'), 50)).toBe(false);
  expect(limits.admits({ ...page('frame'), type: 'iframe' }, 50)).toBe(true);
  vi.advanceTimersByTime(2000);
  expect(told).toMatchObject([{ limit: 'tabs', count: 1 }]);
});
