import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callAt } from './clock.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { isId, newId } from './id.ts';
import { createLog } from './log.ts';
import { KeyedMutex } from './mutex.ts';

describe('ids', () => {
  test('are different, of one shape, and sorted by the time they were made', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) {
      ids.push(newId('browser'));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(new Set(ids).size).toBe(20);
    expect(ids).toEqual([...ids].sort());
    for (const id of ids) expect(isId('browser', id)).toBe(true);
    expect(isId('key', ids[0] ?? '')).toBe(false);
  });
});

describe('cursors', () => {
  test('come back as they went', () => {
    fc.assert(
      fc.property(fc.nat(), (createdAt) => {
        const place = { createdAt, id: newId('browser') };
        expect(decodeCursor(encodeCursor(place))).toEqual(place);
      }),
    );
  });

  test('that were made elsewhere are refused, whatever they hold', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((text) => Buffer.from(text).toString('base64url')),
        ),
        (text) => {
          expect(() => decodeCursor(text)).toThrow(/cursor/);
        },
      ),
    );
  });
});

describe('the mutex by name', () => {
  test('lets one in at a time for a name, in order, also after a failure', async () => {
    const mutex = new KeyedMutex();
    const seen: string[] = [];
    const visit = (name: string, label: string) =>
      mutex.run(name, async () => {
        seen.push(`${label} in`);
        await new Promise(setImmediate);
        seen.push(`${label} out`);
        if (label === 'b') throw new Error('b fails');
      });
    const results = await Promise.allSettled([visit('x', 'a'), visit('x', 'b'), visit('x', 'c')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(seen).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
  });
});

describe('a call at a time', () => {
  test('far beyond what a timer can count does not come at once', async () => {
    let called = false;
    const off = callAt(Date.now() + 400 * 86_400_000, () => {
      called = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    off();
    expect(called).toBe(false);
  });
});

describe('the log', () => {
  test('carries no key, no signed token and no password, wherever they stand', () => {
    const sink = new PassThrough();
    const log = createLog('info', sink);
    const key = `bd_${'x'.repeat(43)}`;
    const token = 'bdc_WyJjZHAi.dNXceI55-JCBgtXr25_PkEp';
    const failure = new Error(`cannot reach http://user:hunter2@proxy.example:3128 with ${key}`);
    log.info(
      {
        authorization: `Bearer ${key}`,
        proxy: { password: 'hunter2' },
        list: [key],
        extraHeaders: { Cookie: 'sid=hunter2', 'X-Api-Key': 'hunter2', Accept: 'text/html' },
        url: `ws://x/cdp?token=${token}`,
        err: failure,
        database: `postgres://user:it's"hunter2@db/x`,
        other: 'postgres://user:p@hunter2@db/x?a=b@c and http://u:?hunter2@h',
      },
      'event',
    );
    const text = String(sink.read());
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain(key);
    expect(text).toContain('text/html');
    expect(text).not.toMatch(/WyJjZHAi|dNXceI55/);
    expect(JSON.parse(text)).toMatchObject({ level: 'info', msg: 'event', err: { type: 'Error' } });
  });
});
