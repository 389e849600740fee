import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Capacity, type Slot } from './capacity.ts';

const never = new AbortController().signal;
const alone = async () => 1;

test('there are as many slots as the limit says, for all and for each project', () => {
  const capacity = new Capacity({ max: 3, maxPerProject: 2, queueLimit: 0, countProjects: alone });
  expect([capacity.take('red'), capacity.take('red')].every(Boolean)).toBe(true);
  expect(capacity.take('red')).toBeUndefined();
  expect(capacity.exhausted('red').message).toContain('All 2 browsers of this project');
  expect(capacity.take('blue')).toBeDefined();
  expect(capacity.take('blue')).toBeUndefined();
  expect(capacity.exhausted('blue').message).toContain('All 3 browsers of this server');
});

test('a project leaves room to the others, also where the operator has set no limit', async () => {
  let projects = 1;
  const capacity = new Capacity({
    max: 4,
    maxPerProject: null,
    queueLimit: 4,
    countProjects: async () => projects,
  });
  await capacity.look();
  const all = [1, 2, 3, 4].map(() => capacity.take('red'));
  expect(all.every(Boolean)).toBe(true);
  for (const slot of all) slot?.[Symbol.dispose]();
  projects = 2;
  await capacity.look();
  expect([1, 2, 3, 4].map(() => capacity.take('red') !== undefined)).toEqual([true, true, true, false]);
  expect(capacity.exhausted('red').message).toContain('All 3 browsers of this project');
  const wait = (project: string) => capacity.admit(project, { waitMs: 60_000, signal: never });
  using blue = wait('blue');
  await blue.slot;
  using waiting = new DisposableStack();
  const queue = (project: string) => waiting.use(wait(project)).slot.catch(() => undefined);
  for (const project of ['red', 'red', 'red']) void queue(project);
  expect(() => wait('red')).toThrow(/All 3 browsers of this project|All 4 browsers of this server/);
  void queue('blue');
  expect(() => wait('blue')).toThrow();
});

test('a slot that is disposed twice is free once', () => {
  const capacity = new Capacity({ max: 1, maxPerProject: null, queueLimit: 0, countProjects: alone });
  const slot = capacity.take('red');
  slot?.[Symbol.dispose]();
  slot?.[Symbol.dispose]();
  expect(capacity.usage().used).toBe(0);
  expect(capacity.take('red')).toBeDefined();
  expect(capacity.take('red')).toBeUndefined();
});

test('a slot that was moved is free when its new owner disposes it, not before', () => {
  const capacity = new Capacity({ max: 1, maxPerProject: null, queueLimit: 0, countProjects: alone });
  const slot = capacity.take('red') as Slot;
  const moved = slot.move();
  slot[Symbol.dispose]();
  expect(capacity.usage().used).toBe(1);
  expect(() => slot.move()).toThrow();
  moved[Symbol.dispose]();
  expect(capacity.usage().used).toBe(0);
});

test('a ticket that is disposed leaves the queue, or gives back the slot that it had been given', async () => {
  const capacity = new Capacity({ max: 1, maxPerProject: null, queueLimit: 10, countProjects: alone });
  const admit = (waitMs?: number) => capacity.admit('red', { waitMs, signal: never });
  const [first, second, third] = [admit(), admit(60_000), admit(60_000)];
  expect([first, second, third].map(({ queued }) => queued)).toEqual([false, true, true]);
  third[Symbol.dispose]();
  expect(capacity.usage()).toEqual({ used: 1, max: 1, waiting: 1 });
  first[Symbol.dispose]();
  expect(capacity.usage()).toEqual({ used: 1, max: 1, waiting: 0 });
  const moved = (await second.slot).move();
  second[Symbol.dispose]();
  expect(capacity.usage().used).toBe(1);
  moved[Symbol.dispose]();
  const unread = admit();
  unread[Symbol.dispose]();
  expect(capacity.usage()).toEqual({ used: 0, max: 1, waiting: 0 });
});

test('projects take turns in the queue, however many of one stand in it', async () => {
  const capacity = new Capacity({ max: 1, maxPerProject: null, queueLimit: 10, countProjects: alone });
  let held = capacity.take('red') as Slot;
  const served: string[] = [];
  const tickets = ['red 1', 'red 2', 'red 3', 'blue 1', 'blue 2'].map((caller) => {
    const ticket = capacity.admit(caller.split(' ')[0] ?? '', { waitMs: 60_000, signal: never });
    void ticket.slot.then((slot) => {
      served.push(caller);
      held = slot;
    });
    return ticket;
  });
  expect(tickets.map((ticket) => ticket.position().position)).toEqual([1, 3, 5, 2, 4]);
  for (let n = 0; n < 5; n++) {
    held[Symbol.dispose]();
    await new Promise(setImmediate);
  }
  expect(served).toEqual(['red 1', 'blue 1', 'red 2', 'blue 2', 'red 3']);
});

test('a caller that gives up leaves the queue, and a slot given in that moment is not lost', async () => {
  const capacity = new Capacity({ max: 1, maxPerProject: null, queueLimit: 10, countProjects: alone });
  const held = capacity.take('red') as Slot;
  const quitter = new AbortController();
  const gone = capacity.admit('red', { waitMs: 60_000, signal: quitter.signal });
  const late = capacity.admit('red', { waitMs: 1, signal: never });
  quitter.abort(new Error('hung up'));
  await expect(gone.slot).rejects.toThrow('hung up');
  await expect(late.slot).rejects.toMatchObject({ code: 'CAPACITY_EXHAUSTED' });
  held[Symbol.dispose]();
  expect(capacity.usage()).toEqual({ used: 0, max: 1, waiting: 0 });
});

test('whatever is taken, queued and freed, the limits hold and no create waits beside a free slot', async () => {
  const step = fc.record({ take: fc.boolean(), project: fc.constantFrom('a', 'b', 'c') });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const capacity = new Capacity({ max: 4, maxPerProject: 2, queueLimit: 5, countProjects: alone });
      const held: { project: string; slot: Slot }[] = [];
      const over = new AbortController();
      for (const { take, project } of steps) {
        if (!take) held.shift()?.slot[Symbol.dispose]();
        else {
          const slot = capacity.take(project);
          if (slot) held.push({ project, slot });
          else if (capacity.usage().waiting < 5)
            void capacity.admit(project, { waitMs: 60_000, signal: over.signal }).slot.then(
              (late) => held.push({ project, slot: late }),
              () => undefined,
            );
        }
        await new Promise(setImmediate);
        expect(held.length).toBe(capacity.usage().used);
        expect(held.length).toBeLessThanOrEqual(4);
        for (const name of ['a', 'b', 'c'])
          expect(held.filter((one) => one.project === name).length).toBeLessThanOrEqual(2);
      }
      over.abort();
    }),
    { numRuns: 50 },
  );
});

test('work that can wait leaves the last slots, of the server and of a project, and never overtakes the queue', async () => {
  const capacity = new Capacity({ max: 4, maxPerProject: 3, queueLimit: 4, countProjects: alone });
  const heard: string[] = [];
  const off = capacity.onFreed(() => heard.push('freed'));
  const red = [1, 2, 3].map(() => capacity.takeSpare('red', 1));
  expect(red.map(Boolean)).toEqual([true, true, false]);
  const blue = [1, 2].map(() => capacity.takeSpare('blue', 1));
  expect(blue.map(Boolean)).toEqual([true, false]);
  const last = capacity.take('green');
  expect(last).toBeDefined();
  using waiting = capacity.admit('green', { waitMs: 60_000, signal: never });
  last?.[Symbol.dispose]();
  await waiting.slot;
  red[0]?.[Symbol.dispose]();
  expect(heard).toEqual(['freed', 'freed']);
  using _queued = capacity.admit('green', { waitMs: 60_000, signal: never });
  off();
  blue[0]?.[Symbol.dispose]();
  expect(heard).toHaveLength(2);
});

test('a limit of one leaves nothing, and is given to work that can wait', () => {
  const capacity = new Capacity({ max: 1, maxPerProject: null, queueLimit: 0, countProjects: alone });
  using slot = capacity.takeSpare('red', 8);
  expect(slot).toBeDefined();
});
