import { expect, test } from 'vitest';
import type { HandoffSoFar } from '../../browsers/browsers.ts';
import { Handoff } from './handoff.ts';

function fresh(before?: HandoffSoFar) {
  const kept: (HandoffSoFar | undefined)[] = [];
  const done = { closed: 0, held: 0 };
  const handoff = new Handoff({
    running: { id: 'browser_1', projectId: 'project_1', keepHandoff: (soFar) => kept.push(soFar) },
    events: { note: () => undefined },
    hold: () => {
      done.held++;
      return () => done.held--;
    },
    before,
    close: () => done.closed++,
  });
  return { handoff, kept, done };
}

const expiresAt = '2026-01-01T00:00:00Z';

test('each change is kept with the state of the browser, and is the beginning of the next Chromium', () => {
  const first = fresh();
  expect(first.handoff.soFar).toBeUndefined();
  first.handoff.request('Sign in.', expiresAt);
  first.handoff.take();
  expect(first.kept).toMatchObject([
    { asked: true, message: 'Sign in.' },
    { asked: true, message: 'Sign in.' },
  ]);
  // As it comes back from the store.
  const saved = JSON.parse(JSON.stringify(first.kept.at(-1))) as HandoffSoFar;
  const second = fresh(saved);
  expect(second.handoff.view).toEqual({ state: 'requested', message: 'Sign in.', since: saved.since });
  second.handoff.take();
  second.handoff.giveBack('returned');
  expect(second.done).toEqual({ closed: 0, held: 0 });
  const third = fresh(second.kept.at(-1));
  expect(third.handoff.view).toMatchObject({ state: 'scripts', ended: 'returned' });
});

test('a browser that is there for one person is closed once that person has handed it back, whichever Chromium it has by then', () => {
  const first = fresh();
  first.handoff.request('Sign in.', expiresAt, { thenClose: true });
  const { handoff, done } = fresh(first.kept.at(-1));
  handoff.take();
  handoff.giveBack('left');
  expect(done.closed).toBe(0);
  handoff.take();
  handoff.giveBack('returned');
  expect(done.closed).toBe(1);
});
