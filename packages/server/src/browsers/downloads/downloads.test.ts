import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../tests/support/server.ts';
import { freshArtifacts } from '../../artifacts/artifacts.fixture.ts';
import { Cdp } from '../../chromium/chromium.ts';
import { createEvents } from '../../events/events.ts';
import { createLog } from '../../kit/log.ts';
import { ChromiumDownloads } from '../live/chromium-downloads.ts';
import { Downloads } from './downloads.ts';

/** A Chromium that sends what the test wants, at the other end of a real pipe. */
async function fresh() {
  const folder = mkdtempSync(join(tmpdir(), 'browserd-downloads-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [input, output] = [new PassThrough(), new PassThrough()];
  const cancelled: string[] = [];
  input.on('data', (bytes: Buffer) => {
    for (const text of bytes.toString().split('\0').filter(Boolean)) {
      const { id, method, params } = JSON.parse(text);
      if (method === 'Browser.cancelDownload') cancelled.push(params.guid);
      output.write(`${JSON.stringify({ id, result: { browserContextIds: [], targetInfo: {} } })}\0`);
    }
  });
  const cdp = new Cdp({ input, output, timeoutMs: 5000 });
  const source = new ChromiumDownloads(cdp, { folder, inside: folder, uid: undefined, tabOf: () => 'tab' });
  const { store, browser, artifacts, owner } = await freshArtifacts();
  const log = createLog('silent', new Writable());
  const events = createEvents({ store, log });
  const downloads = new Downloads({ artifacts, events, log, limitBytes: 1000, reserveBytes: 0, folder });
  downloads.keep({ ...browser, settings: { policy: {} } }, source);
  const send = (method: string, params: object): void => {
    output.write(`${JSON.stringify({ method, params })}\0`);
  };
  const begin = (n: number): string => {
    const guid = `00000000-0000-0000-0000-${String(n).padStart(12, '0')}`;
    send('Browser.downloadWillBegin', { frameId: 'F', guid, url: 'http://a/', suggestedFilename: 'a' });
    return guid;
  };
  const complete = (guid: string): void =>
    send('Browser.downloadProgress', { guid, state: 'completed', receivedBytes: 1, totalBytes: 1 });
  const list = async () =>
    (await artifacts.list({ ...owner, kind: 'download' }, { limit: 100 })).items.map((record) =>
      downloads.view(record),
    );
  const recorded = async () => {
    await events.flush();
    return store.events.list({ projectId: owner.projectId, limit: 1000 });
  };
  return { folder, source, begin, complete, send, list, recorded, cancelled };
}

test('of a thousand downloads at once a few go on, the rest are cancelled, and an event says how many', async () => {
  const { source, begin, list, recorded, cancelled } = await fresh();
  for (let n = 0; n < 1000; n++) begin(n);
  await eventually(
    async () => cancelled.length,
    (count) => count === 968,
  );
  expect(await list()).toHaveLength(32);
  const turnedAway = (await recorded()).filter(({ data }) => data.reason === 'too_many');
  expect(turnedAway.length).toBeGreaterThan(0);
  await source.leave('closed');
  for (const download of await list())
    expect(download).toMatchObject({ state: 'cancelled', reason: 'browser_closed' });
});

test('what Chromium puts in place of a file is not followed', async () => {
  const { folder, begin, complete, list } = await fresh();
  const secret = join(folder, 'secret');
  writeFileSync(secret, 'secret');
  const plant: ((path: string) => void)[] = [
    (path) => symlinkSync(secret, path),
    (path) => mkdirSync(path),
    () => undefined,
    (path) => writeFileSync(path, Buffer.alloc(5000)),
  ];
  for (const [n, put] of plant.entries()) {
    const guid = begin(n);
    put(join(folder, guid));
    complete(guid);
  }
  const all = await eventually(
    list,
    (items) => items.length === 4 && items.every(({ state }) => state !== 'inProgress'),
  );
  expect(all.map(({ reason }) => reason).toSorted()).toEqual([
    'internal',
    'internal',
    'internal',
    'too_large',
  ]);
});

test('a name that is no guid is no download', async () => {
  const { send, begin, list } = await fresh();
  for (const guid of ['../../etc/passwd', '', 'x'.repeat(5000)])
    send('Browser.downloadWillBegin', { frameId: 'F', guid, url: 'http://a/', suggestedFilename: 'a' });
  begin(1);
  expect(await eventually(list, (items) => items.length > 0)).toHaveLength(1);
});
