import { expect, test } from 'vitest';
import { createLog } from '../../kit/log.ts';
import type { Store } from '../../store/records.ts';
import { LineLooks } from './line-looks.ts';

const everyone = Array.from({ length: 300 }, (_, n) => `browser ${n}`);

function aLine() {
  const creating = new Set(everyone);
  const asked: (readonly string[])[] = [];
  const heard = new Set<() => void>();
  let isAway = false;
  const store = {
    events: {
      watch(tell: () => void) {
        heard.add(tell);
        return () => heard.delete(tell);
      },
    },
    placement: {
      async creating(ids: readonly string[]) {
        asked.push(ids);
        if (isAway) throw new Error('away');
        return new Set(ids.filter((id) => creating.has(id)));
      },
    },
  } as unknown as Store;
  const looks = new LineLooks({ store, log: createLog('silent') });
  return {
    looks,
    asked,
    heard,
    serve(id: string) {
      creating.delete(id);
      for (const tell of heard) tell();
    },
    away(now: boolean) {
      isAway = now;
    },
  };
}

const forLong = { withinMs: 600_000, signal: new AbortController().signal };

test('one statement looks for all that wait, and tells the one that is a create no more', async () => {
  const { looks, asked, serve, heard } = aLine();
  const over = new AbortController();
  const told: string[] = [];
  const waits = everyone.map((id) =>
    looks.changed(id, { ...forLong, signal: over.signal }).then(
      () => told.push(id),
      () => undefined,
    ),
  );
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  serve('browser 7');
  await expect.poll(() => told).toEqual(['browser 7']);
  // The first look begins with the first that waits.
  expect(asked.at(1)).toHaveLength(everyone.length);
  over.abort();
  await Promise.all(waits);
  // The next look finds that it is for none.
  await expect.poll(() => heard.size).toBe(0);
});

test('a wait ends when its time is over, and by its signal', async () => {
  const { looks } = aLine();
  await looks.changed('browser 1', { ...forLong, withinMs: 1 });
  const reason = new Error('the service stops');
  await expect(looks.changed('browser 2', { ...forLong, signal: AbortSignal.abort(reason) })).rejects.toBe(
    reason,
  );
});

test('a database that is away for a moment ends no wait', async () => {
  const { looks, asked, serve, away } = aLine();
  away(true);
  const told = looks.changed('browser 3', forLong);
  await expect.poll(() => asked.length).toBeGreaterThan(1);
  away(false);
  serve('browser 3');
  await told;
});
