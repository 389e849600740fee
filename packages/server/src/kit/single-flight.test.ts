import { expect, test } from 'vitest';
import { SingleFlight } from './single-flight.ts';

const never = new AbortController().signal;

test('callers at the same time share one piece of work, later ones begin anew', async () => {
  const flights = new SingleFlight<number>();
  let begun = 0;
  const work = async (): Promise<number> => ++begun;
  const both = await Promise.all([flights.run('a', never, work), flights.run('a', never, work)]);
  expect(both).toEqual([
    { value: 1, joined: false },
    { value: 1, joined: true },
  ]);
  expect(await flights.run('a', never, work)).toEqual({ value: 2, joined: false });
  expect(await flights.run('b', never, work)).toEqual({ value: 3, joined: false });
});

test('a caller that leaves takes nothing from the others, and the last one ends the work', async () => {
  const flights = new SingleFlight<string>();
  const answer = Promise.withResolvers<string>();
  let ended: AbortSignal | undefined;
  const work = (gone: AbortSignal): Promise<string> => {
    ended = gone;
    return answer.promise;
  };
  const [first, second] = [new AbortController(), new AbortController()];
  const led = flights.run('a', first.signal, work);
  const followed = flights.run('a', second.signal, work);
  first.abort(new Error('gone'));
  await expect(led).rejects.toThrow('gone');
  expect(ended?.aborted).toBe(false);
  answer.resolve('done');
  expect(await followed).toEqual({ value: 'done', joined: true });

  const alone = new AbortController();
  const left = flights.run('b', alone.signal, (gone) => {
    ended = gone;
    return Promise.withResolvers<string>().promise;
  });
  alone.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  expect(ended?.aborted).toBe(true);
  expect((await flights.run('b', never, async () => 'anew')).value).toBe('anew');
});

test('a failure is told to all that waited, and is not kept', async () => {
  const flights = new SingleFlight<string>();
  const fails = (): Promise<string> => Promise.reject(new Error('broken'));
  const both = await Promise.allSettled([flights.run('a', never, fails), flights.run('a', never, fails)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await flights.run('a', never, async () => 'whole')).value).toBe('whole');
});
