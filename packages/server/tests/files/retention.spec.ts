import { join } from 'node:path';
import { expect, test } from 'vitest';
import { download, named, upload } from '../support/file-client.ts';
import { filesBelow } from '../support/leaks.ts';
import { eventually, startServer } from '../support/server.ts';

/** At the same time, each with a service of its own: the first does little but wait. */
test.concurrent('what a closed browser has is kept for its time and readable, then record, bytes and events go', async () => {
  await using server = await startServer({ BROWSERD_RETENTION: '10s' });
  const { api } = server;
  const blobs = () => filesBelow(join(server.dataDir, 'blobs'));
  const [closed, stopped] = [(await api.create()).body.id, (await api.create()).body.id];
  await api.stop(stopped);
  const { body: file } = await upload(api, closed, named('a.txt'), { body: 'kept for a while' });
  const { body: kept } = await upload(api, stopped, named('b.txt'), { body: 'kept' });
  const closedAt = Date.parse((await api.remove(closed)).body.closedAt);

  const read = async () => {
    const response = await download(api, closed, file.id);
    return { status: response.status, text: await response.text(), at: Date.now() };
  };
  const seen: Awaited<ReturnType<typeof read>>[] = [];
  await eventually(read, (found) => seen.push(found) > 0 && found.status === 404);
  for (const { status, text, at } of seen) {
    if (status === 200) expect(text).toBe('kept for a while');
    if (status === 404) expect(at - closedAt).toBeGreaterThanOrEqual(10_000);
  }
  expect(seen.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  expect((await api.get(closed)).body.error.code).toBe('BROWSER_NOT_FOUND');
  await eventually(blobs, (names) => names.length === 1);
  // a stopped browser is not over
  expect(await blobs()).toEqual([kept.id]);
  expect(await (await download(api, stopped, kept.id)).text()).toBe('kept');
});

test.concurrent('a quota holds against many uploads at once, announced or not', async () => {
  await using server = await startServer({ BROWSERD_STORAGE_QUOTA: '10MiB' });
  const { api } = server;
  const { id } = (await api.create()).body;
  await api.stop(id);
  const part = new Uint8Array(1024 ** 2);
  async function* streamed() {
    for (let from = 0; from < part.length; from += 65_536) yield part.subarray(from, from + 65_536);
  }
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, n) => upload(api, id, named(`${n}`), { body: n % 2 ? part : streamed() })),
  );
  const kept = answers.filter(({ status }) => status === 201).map(({ body }) => body.id as string);
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.length).toBeLessThanOrEqual(10);
  for (const { status, body } of answers)
    if (status !== 201) expect([status, body.error.code]).toEqual([413, 'QUOTA_EXCEEDED']);
  const blobs = await filesBelow(join(server.dataDir, 'blobs'));
  expect(blobs.toSorted()).toEqual(kept.toSorted());
  // those that were refused hold no room
  for (let n = kept.length; n < 10; n++)
    expect((await upload(api, id, named('more'), { body: part })).status).toBe(201);
  expect((await upload(api, id, named('more'), { body: part })).status).toBe(413);
});
