import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { databases, freshDatabase } from '../support/databases.ts';
import { makeFolders, spawnServer, startServer, untilStatus } from '../support/server.ts';

describe.each(databases)('the service on %s', (kind) => {
  test('creates once for twenty equal requests, stops, resumes, and is back after kill -9', async () => {
    const database = await freshDatabase(kind);
    await using folders = await makeFolders({ BROWSERD_DATABASE_URL: database.url });
    const first = await spawnServer(folders.env);
    const headers = { 'idempotency-key': randomUUID() };
    const creates = Array.from({ length: 20 }, () =>
      first.api.create({ metadata: { team: 'red' } }, headers),
    );
    const [answer, ...others] = await Promise.all(creates);
    for (const other of others) expect(other.body).toEqual(answer?.body);
    const id = answer?.body.id;
    expect((await first.api.stop(id)).body).toMatchObject({ status: 'stopped' });
    expect((await first.api.resume(id)).body).toMatchObject({ status: 'ready', epoch: 2 });
    first.child.kill('SIGKILL');
    await first.exited;

    await using second = await startServer(folders.env);
    expect((await untilStatus(second.api, id, 'ready')).body).toMatchObject({ epoch: 3 });
    const { body: page } = await second.api.call('GET', '/v1/browsers?metadata[team]=red');
    expect(page.items.map((item: { id: string }) => item.id)).toEqual([id]);
    const replayed = await second.api.create({ metadata: { team: 'red' } }, headers);
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    expect(replayed.body).toEqual(answer?.body);
    expect((await second.api.remove(id)).body.status).toBe('closed');
  });
});
