import { describe, expect, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser } from '../../tests/support/samples.ts';

describe.each(databases)('local storage of a browser in the store on %s', (kind) => {
  test('has a row for each origin, which the next one of that origin replaces', async () => {
    const store = await (await freshDatabase(kind)).open();
    const { id: projectId } = await store.projects.ensure('default');
    const browser = aBrowser({ projectId, epoch: 1 });
    await store.browsers.insert(browser, []);
    const put = (origin: string, at: number, items: string, epoch = 1) =>
      store.localStorage.put({
        browserId: browser.id,
        epoch,
        origin,
        at,
        bytes: items.length,
        items: Buffer.from(items),
      });
    expect(await put('https://b.example', 2, 'bb')).toBe(true);
    expect(await put('https://a.example', 1, 'a')).toBe(true);
    expect(await put('https://b.example', 3, 'bbb')).toBe(true);
    expect(await put('https://a.example', 9, 'late', 7)).toBe(false);
    expect(await store.localStorage.sizes(browser.id)).toEqual([
      { origin: 'https://a.example', at: 1, bytes: 1 },
      { origin: 'https://b.example', at: 3, bytes: 3 },
    ]);
    expect(String(Buffer.from((await store.localStorage.get(browser.id, 'https://b.example'))!))).toBe('bbb');
    await store.localStorage.drop(browser.id, ['https://a.example']);
    await store.localStorage.drop(browser.id, []);
    expect(await store.localStorage.sizes(browser.id)).toHaveLength(1);
    await store.checkpoints.remove(browser.id);
    expect(await store.localStorage.sizes(browser.id)).toEqual([]);
    expect(await store.localStorage.get(browser.id, 'https://b.example')).toBeUndefined();
  });
});
