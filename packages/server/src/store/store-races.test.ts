import { execFile } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser, aKey, anEvent } from '../../tests/support/samples.ts';

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

/** Another process that opens the same database, uses it and ends. */
const inAnotherProcess = (url: string, work: string): Promise<{ stdout: string }> =>
  promisify(execFile)(process.execPath, [
    '--input-type=module-typescript',
    '--eval',
    `import { openStore } from '${new URL('./store.ts', import.meta.url)}';
     const store = await openStore({ databaseUrl: ${JSON.stringify(url)}, dataDir: '.' });
     ${work}
     await store.close();`,
  ]);

describe.each(databases)('two connections at once to the store on %s', (kind) => {
  const fresh = async () => {
    const database = await freshDatabase(kind);
    const [one, two] = [await database.open(), await database.open()];
    const { id: projectId } = await one.projects.ensure('default');
    const either = (n: number) => (n % 2 === 0 ? one : two);
    return { database, one, two, either, projectId };
  };

  test('see each other’s records', async () => {
    const { one, two, projectId } = await fresh();
    const browser = aBrowser({ projectId });
    await one.browsers.insert(browser, []);
    expect(await two.browsers.get(browser.id)).toEqual(browser);
  });

  test('of 50 changes from the same status and epoch one wins, with its event', async () => {
    const { either, one, projectId } = await fresh();
    const browser = aBrowser({ projectId, status: 'ready', metadata: { a: 'b' } });
    await one.browsers.insert(browser, []);
    const answers = await Promise.all(
      times(50, (n) =>
        either(n).browsers.change(
          browser.id,
          { status: 'ready', epoch: 1 },
          { status: 'stopping', tabs: n, epoch: 2 },
          [anEvent(browser, { data: { n } })],
        ),
      ),
    );
    const winners = answers.filter((answer) => answer !== undefined);
    expect(winners).toHaveLength(1);
    expect(await one.browsers.get(browser.id)).toEqual(winners[0]);
    const events = await one.events.list({ projectId, limit: 50 });
    expect(events.map(({ data }) => data.n)).toEqual([winners[0]!.tabs]);
  });

  test('50 counters by compare-and-set lose nothing', async () => {
    const { either, one, projectId } = await fresh();
    const browser = aBrowser({ projectId });
    await one.browsers.insert(browser, []);
    const increment = async (store: typeof one): Promise<void> => {
      const { epoch } = (await store.browsers.get(browser.id))!;
      if (!(await store.browsers.change(browser.id, { epoch }, { epoch: epoch + 1 }))) await increment(store);
    };
    await Promise.all(times(50, (n) => increment(either(n))));
    expect(await one.browsers.get(browser.id)).toMatchObject({ epoch: 51 });
  });

  test('of 50 claims of one idempotency key one owns it, and the others are told who', async () => {
    const { either, projectId } = await fresh();
    const claims = await Promise.all(
      times(50, (n) =>
        either(n).idempotency.claim(
          { projectId, key: 'k', fingerprint: 'f', bootId: `boot ${n}`, createdAt: n },
          1000,
        ),
      ),
    );
    const owner = claims.indexOf(undefined);
    const others = claims.filter((claim) => claim !== undefined && claim !== 'full');
    expect(others).toHaveLength(49);
    expect(new Set(others.map(({ bootId }) => bootId))).toEqual(new Set([`boot ${owner}`]));
  });

  test('claims and releases of one key always leave it to one', async () => {
    const { either, projectId } = await fresh();
    let holders = 0;
    const hold = async (n: number): Promise<void> => {
      const { claim, release } = either(n).idempotency;
      const row = { projectId, key: 'k', fingerprint: 'f', bootId: `${n}`, createdAt: n };
      while ((await claim(row, 1000)) !== undefined) await nextTurn();
      expect(++holders).toBe(1);
      holders--;
      await release(projectId, 'k', `${n}`);
    };
    await Promise.all(times(20, hold));
  });

  test('the two last admin keys are never both revoked', async () => {
    const { one, two } = await fresh();
    for (const name of times(15, String)) {
      const { id: projectId } = await one.projects.ensure(name);
      const [first, second] = [aKey({ projectId, role: 'admin' }), aKey({ projectId, role: 'admin' })];
      await one.keys.insert(first);
      await one.keys.insert(second);
      const outcomes = await Promise.all([
        one.keys.revoke(first.id, projectId, 1),
        two.keys.revoke(second.id, projectId, 1),
      ]);
      expect(outcomes.toSorted()).toEqual(['lastAdmin', 'revoked']);
    }
  });

  test('a project that many make at once is one', async () => {
    const { either, one } = await fresh();
    const made = await Promise.all(times(20, (n) => either(n).projects.ensure('many')));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await one.projects.count()).toBe(2);
  });

  test('a reader that follows the events by number misses none', async () => {
    const { either, one, projectId } = await fresh();
    const browser = aBrowser({ projectId });
    const seen: number[] = [];
    let writing = true;
    const follow = async (): Promise<void> => {
      for (let last = false; ; last = !writing) {
        const events = await one.events.list({ projectId, afterSeq: seen.at(-1), limit: 100 });
        seen.push(...events.map(({ seq }) => seq));
        if (last && events.length === 0) return;
        await nextTurn();
      }
    };
    const following = follow();
    const write = async (n: number): Promise<void> => {
      for (const m of times(15, (i) => i))
        await either(n).events.append([anEvent(browser), anEvent(browser, { at: m })]);
    };
    await Promise.all(times(8, write));
    writing = false;
    await following;
    const all = await one.events.list({ projectId, limit: 1000 });
    expect(seen).toEqual(all.map(({ seq }) => seq));
    expect(seen).toHaveLength(240);
  });

  test('a checkpoint of the old epoch never follows the change to the new one', async () => {
    const { one, two, projectId } = await fresh();
    for (const epoch of times(20, (n) => n + 1)) {
      const browser = aBrowser({ projectId, epoch });
      await one.browsers.insert(browser, []);
      const old = { browserId: browser.id, epoch, at: 1, data: {} };
      const [, kept] = await Promise.all([
        two.browsers.change(browser.id, { epoch }, { epoch: epoch + 1 }),
        one.checkpoints.put(old),
      ]);
      expect(await one.checkpoints.get(browser.id)).toEqual(kept ? old : undefined);
      expect(await one.checkpoints.put({ ...old, at: 2 })).toBe(false);
    }
  });

  test('two sweeps share the work and report each browser once', async () => {
    const { one, two, projectId } = await fresh();
    const ids = times(300, () => aBrowser({ projectId, status: 'closed', closedAt: 1 }));
    await Promise.all(ids.map((browser) => one.browsers.insert(browser, [])));
    const sweeps = await Promise.all(
      [one, two].map((s) => s.sweep({ closedBefore: 2, idempotencyBefore: 2 })),
    );
    const swept = sweeps.flatMap(({ browsers }) => browsers);
    expect(swept.toSorted()).toEqual(ids.map(({ id }) => id).toSorted());
  });

  test('processes that meet an empty database at the same time all start', async () => {
    const database = await freshDatabase(kind);
    await Promise.all(
      times(4, () => inAnotherProcess(database.url, `await store.projects.ensure('default');`)),
    );
    expect(await (await database.open()).projects.count()).toBe(1);
  });

  test('another process may write while this one does', async () => {
    const { database, one, projectId } = await fresh();
    const work = `for (let n = 0; n < 100; n++) await store.projects.ensure('theirs ' + n);`;
    const theirs = inAnotherProcess(database.url, work);
    for (const n of times(100, String)) {
      await one.projects.ensure(`ours ${n}`);
      await one.browsers.insert(aBrowser({ projectId }), []);
    }
    await theirs;
    expect(await one.projects.count()).toBe(201);
  });
});

test('on postgres a checkpoint waits for a change of the epoch that is under way, and is dropped after it', async () => {
  const database = await freshDatabase('postgres');
  const store = await database.open();
  const { id: projectId } = await store.projects.ensure('default');
  const browser = aBrowser({ projectId });
  await store.browsers.insert(browser, []);
  const changing = new Client({ connectionString: database.url });
  await changing.connect();
  try {
    await changing.query('begin');
    await changing.query('update browsers set epoch = 2');
    const put = store.checkpoints.put({ browserId: browser.id, epoch: 1, at: 1, data: {} });
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await changing.query(waiting)).rowCount, { timeout: 5000 }).toBe(1);
    await changing.query('commit');
    expect(await put).toBe(false);
    expect(await store.checkpoints.get(browser.id)).toBeUndefined();
  } finally {
    await changing.end();
  }
});
