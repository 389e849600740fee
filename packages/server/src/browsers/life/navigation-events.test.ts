import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NavigationEvents } from './navigation-events.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const tab = (tabId: string, n: number) => ({ tabId, url: `https://example.com/${n}`, title: '' });

test('in a flood of navigations the latest of a tab is told once a second, with the number of those skipped', () => {
  const told: [string, number][] = [];
  const navigations = new NavigationEvents(({ tabId, url }, skipped) =>
    told.push([tabId + url.slice(19), skipped]),
  );
  for (let n = 1; n <= 50; n++) navigations.add(tab('a', n));
  expect(told).toHaveLength(50);
  for (let n = 51; n <= 5000; n++) navigations.add(tab('a', n));
  expect(told).toHaveLength(50);
  vi.advanceTimersByTime(1000);
  expect(told.slice(50)).toEqual([['a/5000', 4949]]);
  navigations.add(tab('a', 5001));
  vi.advanceTimersByTime(1000);
  expect(told.slice(51)).toEqual([['a/5001', 0]]);
});

test('many tabs take turns, a closed one has none, and at the end the rest is told', () => {
  const told: string[] = [];
  const navigations = new NavigationEvents(({ tabId }) => told.push(tabId));
  for (let n = 1; n <= 50; n++) navigations.add(tab('first', n));
  for (let n = 0; n < 20; n++) navigations.add(tab(`t${n}`, n));
  navigations.closed('t1');
  vi.advanceTimersByTime(1000);
  expect(told.slice(50)).toEqual(['t0', 't2', 't3', 't4', 't5']);
  navigations.flush();
  expect(told).toHaveLength(69);
});
