import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectWithKey } from '../support/cdp-client.ts';
import type { Api } from '../support/client.ts';
import { chromiumOf, filesIn, profileOf } from '../support/leaks.ts';
import {
  type Colours,
  fetchContent,
  pathOf,
  recordingsOf,
  show,
  slackMs,
  startColours,
  untilMade,
  videoOf,
  watched,
} from '../support/recording-client.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { eventsOf } from '../support/stored.ts';
import { playVideo, probeVideo } from '../support/video.ts';

let server: TestServer;
let api: Api;
let colours: Colours;
const longTest = 300_000;

beforeAll(async () => {
  [server, colours] = await Promise.all([startServer(), startColours()]);
  api = server.api;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await colours[Symbol.asyncDispose]();
});

/** A new tab that shows a colour, beside the others or instead of the only one. */
async function showInNewTab(id: string, colour: string, others: 'kept' | 'closed'): Promise<number> {
  const client = await connectWithKey(api, id);
  const { targetInfos } = await client.send('Target.getTargets');
  const opened = client.send('Target.createTarget', { url: colours.urlOf(colour) });
  if (others === 'closed')
    for (const { type, targetId } of targetInfos)
      if (type === 'page') await client.send('Target.closeTarget', { targetId });
  await opened;
  client.socket.close();
  return watched(api, id, colour);
}

test(
  'a session with two tabs and a crash is recorded in two parts, which together are as long and show what it showed',
  async () => {
    const { body: browser } = await api.create({ ...colours.shown('red'), recording: true });
    expect(browser.recording).toBe(true);
    const { id } = browser;
    const [begun] = await recordingsOf(api, id);
    expect(begun).toMatchObject({ state: 'recording', epoch: 1, width: 640, height: 360, size: 0 });

    const seen = [
      { colour: 'red', at: await watched(api, id, 'red') },
      { colour: 'lime', at: await show(api, id, colours, 'lime') },
      { colour: 'yellow', at: await showInNewTab(id, 'yellow', 'kept') },
    ];
    for (const pid of chromiumOf(profileOf(server.scratchDir, id))) process.kill(pid, 'SIGKILL');
    await eventually(
      () => api.get(id),
      ({ body }) => body.status === 'ready' && body.epoch === 2,
    );
    const recoveredAt = Date.now();
    const later = [{ colour: 'blue', at: await show(api, id, colours, 'blue') }];
    const { body: closed } = await api.remove(id);
    const deletedAt = Date.now();
    expect(closed.receipt.recordings).toBe(2);

    const parts = await Promise.all((await recordingsOf(api, id)).map((part) => untilMade(api, id, part.id)));
    expect(parts).toMatchObject([
      { state: 'ready', epoch: 1, mimeType: 'video/webm' },
      { state: 'ready', epoch: 2 },
    ]);
    const endedBy = [recoveredAt, deletedAt];
    for (const [index, part] of parts.entries()) {
      const startedAt = Date.parse(part.startedAt);
      const shown = index === 0 ? seen : later;
      expect(startedAt + part.durationMs).toBeGreaterThanOrEqual(shown.at(-1)?.at ?? 0);
      expect(startedAt + part.durationMs).toBeLessThanOrEqual(endedBy[index] ?? 0);
      const video = await videoOf(api, id, part.id);
      expect(video.length).toBe(part.size);
      const times = shown.map(({ at }) => at - startedAt);
      // backwards, so that every look is a jump
      const played = await playVideo(api, video, [...times.toReversed(), part.durationMs - 1]);
      const colours = shown.map(({ colour }) => colour);
      expect(played).toMatchObject({
        width: 640,
        height: 360,
        colours: [...colours.toReversed(), colours.at(-1)],
      });
      expect(Math.abs(played.duration - part.durationMs)).toBeLessThan(5);
      const probed = await probeVideo(video);
      if (!probed) continue;
      expect(Math.abs(probed.durationMs - part.durationMs)).toBeLessThan(5);
      expect(probed.frames).toBeGreaterThanOrEqual(part.frames - 1);
    }
    expect(await filesIn(`${server.dataDir}/recordings`)).toEqual([]);
    const told = (await eventsOf(server.dataDir, id)).filter(({ type }) => type === 'recording.ready');
    expect(told.map(({ data }) => data.recordingId)).toEqual(parts.map((part) => part.id));
  },
  longTest,
);

test(
  'a recording is started and stopped by call, over a stop and a resume of the browser, and read in parts',
  async () => {
    const { id } = (await api.create(colours.shown('red'))).body;
    const { status, body: first, headers } = await api.call('POST', pathOf(id));
    expect({ status, state: first.state }).toEqual({ status: 201, state: 'recording' });
    expect(headers.get('location')).toBe(pathOf(id, first.id));
    expect(await api.call('POST', pathOf(id))).toMatchObject({ status: 200, body: { id: first.id } });
    expect((await api.get(id)).body.recording).toBe(true);
    const early = await fetchContent(api, id, first.id);
    expect(early.status).toBe(409);
    expect(early.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await early.json()).toMatchObject({ error: { code: 'RECORDING_NOT_FINISHED', nextStep: 'wait' } });

    await watched(api, id, 'red');
    await api.stop(id);
    await api.resume(id);
    const [, second] = await recordingsOf(api, id);
    expect(second).toMatchObject({ state: 'recording', epoch: 2 });
    const cyanAt = await showInNewTab(id, 'cyan', 'closed');
    const stopped = await api.call('POST', pathOf(id, second?.id, '/stop'));
    expect(stopped).toMatchObject({ status: 200, body: { id: second?.id, state: 'finalizing' } });
    expect((await api.get(id)).body).toMatchObject({ status: 'ready', recording: false });
    await api.stop(id);
    await api.resume(id);
    expect(await recordingsOf(api, id)).toHaveLength(2);

    const made = await untilMade(api, id, second?.id ?? '');
    const video = await videoOf(api, id, made.id);
    const played = await playVideo(api, video, [cyanAt - Date.parse(made.startedAt)]);
    expect(played.colours).toEqual(['cyan']);
    const part = await fetchContent(api, id, made.id, { range: 'bytes=10-19' });
    expect(part.status).toBe(206);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(video.slice(10, 20));
    const etag = part.headers.get('etag') ?? '';
    expect((await fetchContent(api, id, made.id, { 'if-none-match': etag })).status).toBe(304);
    expect(await api.call('POST', pathOf(id, made.id, '/stop'))).toMatchObject({
      status: 200,
      body: { state: 'ready' },
    });
    expect(await api.call('DELETE', pathOf(id, made.id))).toMatchObject({ status: 200 });
    expect(await api.call('GET', pathOf(id, made.id))).toMatchObject({
      status: 404,
      body: { error: { code: 'RECORDING_NOT_FOUND' } },
    });
    await api.remove(id);
  },
  longTest,
);

test('a recording that is deleted while it runs leaves nothing, and the browser goes on', async () => {
  const { id } = (await api.create({ ...colours.shown('red'), recording: true })).body;
  const [running] = await recordingsOf(api, id);
  expect(await filesIn(`${server.dataDir}/recordings`)).toContain(running?.id);
  expect(await api.call('DELETE', pathOf(id, running?.id))).toMatchObject({ status: 200 });
  expect(await filesIn(`${server.dataDir}/recordings`)).not.toContain(running?.id);
  expect(await recordingsOf(api, id)).toEqual([]);
  expect((await api.get(id)).body).toMatchObject({ status: 'ready', recording: false });
  await api.remove(id);
});

test('a page that stands still is taken a few times and then no more', async () => {
  const { id } = (await api.create({ ...colours.shown('red'), recording: true })).body;
  await watched(api, id, 'red');
  await watched(api, id, 'red');
  const [running] = await recordingsOf(api, id);
  const { body } = await api.call('POST', pathOf(id, running?.id, '/stop'));
  expect(body.frames).toBeLessThan(10);
  expect(body.durationMs).toBeGreaterThan(2 * slackMs);
  await api.remove(id);
});

test(
  'the whole Chromium is recorded like the shell, also while screenshots are taken of it',
  async () => {
    const settings = { ...colours.shown('magenta'), recording: true, engine: 'full' };
    const { id } = (await api.create(settings)).body;
    const client = await connectWithKey(api, id);
    const sessionId = await client.attach();
    for (let n = 0; n < 5; n++) await client.send('Page.captureScreenshot', {}, sessionId);
    client.socket.close();
    const at = await watched(api, id, 'magenta');
    await api.remove(id);
    const [part] = await recordingsOf(api, id);
    const made = await untilMade(api, id, part?.id ?? '');
    const video = await videoOf(api, id, made.id);
    expect((await playVideo(api, video, [at - Date.parse(made.startedAt)])).colours).toEqual(['magenta']);
  },
  longTest,
);

test('what is not there to be recorded is refused', async () => {
  const { id } = (await api.create()).body;
  await api.stop(id);
  expect(await api.call('POST', pathOf(id))).toMatchObject({
    status: 409,
    body: { error: { code: 'BROWSER_NOT_READY', nextStep: 'resume_browser' } },
  });
  await api.remove(id);
  expect(await api.call('GET', pathOf(id, 'recording_0'))).toMatchObject({ status: 404 });
  expect(await api.call('POST', pathOf(id, 'recording_0', '/stop'))).toMatchObject({ status: 404 });
});
