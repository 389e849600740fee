import { expect, vi } from 'vitest';
import type { Viewer } from './live-client.ts';

/** A person's hand at a viewer: presses and keys, and what was opened by them. */
const codes: Record<string, number> = { ArrowDown: 40, ArrowUp: 38, Tab: 9, Enter: 13, ' ': 32 };

export function click(viewer: Viewer, x: number, y: number): void {
  const at = { type: 'mouse', x, y, button: 'left', clicks: 1 };
  viewer.say({ type: 'mouse', kind: 'move', x, y });
  viewer.say({ ...at, kind: 'down', buttons: 1 });
  viewer.say({ ...at, kind: 'up' });
}

export function press(viewer: Viewer, key: string, modifiers = 0): void {
  const stroke = { type: 'key', key, code: key === ' ' ? 'Space' : key, keyCode: codes[key] ?? 0, modifiers };
  viewer.say({ ...stroke, kind: 'down' });
  viewer.say({ ...stroke, kind: 'up' });
}

export const seen = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 90_000, interval: 20 });

// biome-ignore lint/suspicious/noExplicitAny: whatever the service said
type Said = any;

/** Resolves when the service has refused what this says. */
export async function isRefused(viewer: Viewer, act: () => void, what = 'pick'): Promise<void> {
  const refusals = () => viewer.told.filter((told) => told.type === 'refused' && told.what === what).length;
  const before = refusals();
  act();
  await seen(() => expect(refusals()).toBe(before + 1));
}

/** What is opened by this; it is answered before the next one. */
export async function opens(viewer: Viewer, act: () => void): Promise<Said> {
  const before = viewer.told.length;
  act();
  return seen(() => {
    const told = viewer.told.slice(before).findLast(({ type }) => type === 'picker');
    expect(told).toBeDefined();
    return told.picker;
  });
}
