import { expect, test } from 'vitest';
import { SharedLook } from './shared-look.ts';

/** Each look ends when the test says so. */
function counted(keptMs: number) {
  let looks = 0;
  const ends: ((value: string) => void)[] = [];
  const look = new SharedLook(() => {
    looks++;
    return new Promise<string>((resolve) => ends.push(resolve));
  }, keptMs);
  return { look, looks: () => looks, end: (value: string) => ends.shift()?.(value) };
}

test('what many ask at the same time is found out once', async () => {
  const { look, looks, end } = counted(60_000);
  const asked = [look.now(), look.lately(), look.now(), look.lately()];
  await Promise.resolve();
  end('first');
  expect(await Promise.all(asked)).toEqual(Array(4).fill('first'));
  expect(looks()).toBe(1);
});

test('what was found is good for those who can do with it, and for nobody else', async () => {
  const { look, looks, end } = counted(60_000);
  const first = look.now();
  end('first');
  await first;
  expect([await look.lately(), await look.lately(), looks()]).toEqual(['first', 'first', 1]);
  const second = look.now();
  end('second');
  expect([await second, await look.lately(), looks()]).toEqual(['second', 'second', 2]);
});

test('what is too old is found out again, and so is what failed', async () => {
  let looks = 0;
  const look = new SharedLook(async () => {
    if (++looks === 1) throw new Error('away');
    return looks;
  }, 0);
  await expect(look.lately()).rejects.toThrow('away');
  expect([await look.lately(), await look.lately()]).toEqual([2, 3]);
});
