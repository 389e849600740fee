import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from './client.ts';
import { chromiumOf, filesIn, profileOf } from './leaks.ts';
import { eventually, startServer, type TestServer } from './server.ts';
import { playVideo, probeVideo } from './video.ts';

let server: TestServer;
let api: Api;
const small = { viewport: { width: 640, height: 360 } };
/** Between two pictures of a page that moves, with room for a busy machine. */
const slackMs = 1500;

beforeAll(async () => {
  server = await startServer({ BROWSERD_POOL_SIZE: '1' });
  api = server.api;
});
afterAll(() => server[Symbol.asyncDispose]());

const pathOf = (id: string, recordingId = '', rest = '') =>
  `/v1/browsers/${id}/recordings${recordingId && `/${recordingId}`}${rest}`;

/** Oldest first. */
const recordingsOf = async (id: string) => (await api.call('GET', pathOf(id))).body.items.toReversed();

const untilReady = (id: string, recordingId: string) =>
  eventually(
    async () => (await api.call('GET', pathOf(id, recordingId))).body,
    ({ state }) => state === 'ready' || state === 'failed',
  );

async function contentOf(id: string, recordingId: string): Promise<Uint8Array> {
  const response = await fetch(api.url + pathOf(id, recordingId, '/content'), {
    headers: { authorization: `Bearer ${api.key}` },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('video/webm');
  return new Uint8Array(await response.arrayBuffer());
}

async function execute(id: string, code: string, args?: unknown): Promise<unknown> {
  const { body } = await api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code, args } });
  expect(body.error).toBeUndefined();
  return body.result;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Shows a colour for a while; the answer is a moment at which it surely was on the screen. */
async function show(id: string, colour: string, how = ''): Promise<number> {
  const paint = `await page.evaluate((c) => { document.documentElement.style.background = c }, '${colour}')`;
  await execute(id, `${how}; ${paint}`);
  await pause(slackMs);
  const at = Date.now() - slackMs / 6;
  return at;
}

test('a session with two tabs and a crash is recorded in two parts, which together are as long and show what it showed', async () => {
  const { body: browser } = await api.create({ ...small, recording: true });
  expect(browser.recording).toBe(true);
  const { id } = browser;
  const [first] = await recordingsOf(id);
  expect(first).toMatchObject({ state: 'recording', epoch: 1, width: 640, height: 360, size: 0 });

  const seen = [
    { colour: 'red', at: await show(id, 'red') },
    { colour: 'lime', at: await show(id, 'lime') },
    { colour: 'yellow', at: await show(id, 'yellow', 'page = await context.newPage()') },
  ];
  const crashedAt = Date.now();
  for (const pid of chromiumOf(profileOf(server.scratchDir, id))) process.kill(pid, 'SIGKILL');
  await eventually(
    () => api.get(id),
    ({ body }) => body.status === 'ready' && body.epoch === 2,
  );
  const later = [{ colour: 'blue', at: await show(id, 'blue') }];
  const { body: closed } = await api.remove(id);
  const deletedAt = Date.now();
  expect(closed.receipt.recordings).toBe(2);

  const parts = await Promise.all(
    (await recordingsOf(id)).map((part: { id: string }) => untilReady(id, part.id)),
  );
  expect(parts).toMatchObject([
    { state: 'ready', epoch: 1, mimeType: 'video/webm' },
    { state: 'ready', epoch: 2 },
  ]);
  const ends = [crashedAt, deletedAt];
  for (const [index, part] of parts.entries()) {
    const startedAt = Date.parse(part.startedAt);
    expect(Math.abs(startedAt + part.durationMs - (ends[index] ?? 0))).toBeLessThan(slackMs);
    const video = await contentOf(id, part.id);
    expect(video.length).toBe(part.size);
    const shown = index === 0 ? seen : later;
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
}, 120_000);
