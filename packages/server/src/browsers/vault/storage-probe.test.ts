import { expect, test } from 'vitest';
import { createLog } from '../../kit/log.ts';
import { StorageProbe } from './storage-probe.ts';

function fresh({ failures = 0 } = {}) {
  const puts: string[] = [];
  const there = new Set<string>();
  const probe = new StorageProbe({
    log: createLog('silent'),
    bytes: {
      async takeIn(id) {
        puts.push(id);
        if (puts.length <= failures) throw new Error('it is not mounted');
        there.add(id);
        return { size: 1, sha256: '' } as never;
      },
      discard: async (id) => there.delete(id),
    },
  });
  return { probe, puts, there };
}

const aLongTime = (): number => performance.now() + 600_000;

test('a storage that takes bytes is asked once for all browsers that go together, and keeps nothing of it', async () => {
  const { probe, puts, there } = fresh();
  const answers = await Promise.all(['a', 'b', 'c'].map((project) => probe.takesBytes(project, aLongTime())));
  expect(answers).toEqual([true, true, true]);
  expect(puts).toHaveLength(1);
  expect(there.size).toBe(0);
});

test('one that is away is asked again while there is time, with one name for all tries', async () => {
  const { probe, puts } = fresh({ failures: 1 });
  expect(await probe.takesBytes('a', aLongTime())).toBe(true);
  expect(puts.length).toBeGreaterThan(1);
  expect(new Set(puts).size).toBe(1);
});

test('and not again when there is none', async () => {
  const { probe, puts } = fresh({ failures: 9 });
  expect(await probe.takesBytes('a', performance.now())).toBe(false);
  expect(puts).toHaveLength(1);
});
