import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Colours,
  recordingsOf,
  show,
  slackMs,
  startColours,
  untilMade,
  watched,
} from '../support/recording-client.ts';
import { scriptClient } from '../support/script-client.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { entriesOf } from '../support/trace-client.ts';
import { playVideo, probeVideo } from '../support/video.ts';

/** Enough on a machine that does much else. */
const patience = { timeout: 300_000 };

/** What the bundle of a call has of the recording of its browser. */
let server: TestServer;
let colours: Colours;
beforeAll(async () => {
  colours = await startColours();
  server = await startServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await colours[Symbol.asyncDispose]();
});

const failing = `await page.goto(args.url); await sleep(args.ms); throw new Error('in the end')`;
async function failedCall(id: string, colour: string) {
  const { body } = await scriptClient(server, id).execute(failing, {
    args: { url: colours.urlOf(colour), ms: 2 * slackMs },
    capture: { bundle: 'error' },
    timeoutMs: 120_000,
  });
  expect(body.error?.message).toBe('in the end');
  const entries = await entriesOf(server.api, id, body.bundle);
  return { entries, call: JSON.parse(entries.get('call.json')?.toString() ?? '{}') };
}

test(
  'the part of a recording that covers a call is in its bundle, and the recording goes on',
  patience,
  async () => {
    const { api } = server;
    const { id } = (await api.create({ ...colours.shown('blue'), recording: true })).body;
    await watched(api, id, 'blue');
    const cut = async () => {
      await show(api, id, colours, 'red');
      return failedCall(id, 'lime');
    };
    // On a machine that does much else it may come too late, as it may for a caller.
    let { entries, call } = await cut();
    while (/not made within/.test(call.recording.omitted)) ({ entries, call } = await cut());
    const [recording] = await recordingsOf(api, id);
    expect(recording?.state).toBe('recording');
    expect(call.recording).toEqual({
      id: recording?.id,
      fromMs: expect.any(Number),
      toMs: expect.any(Number),
      file: 'recording.webm',
    });
    const { fromMs, toMs } = call.recording;
    expect(fromMs).toBeGreaterThan(2 * slackMs);
    const video = new Uint8Array(entries.get('recording.webm') ?? []);
    const seen = await playVideo(api, video, [0, toMs - fromMs - 100]);
    // Not the colour of long before: it begins with what the page showed when the call began.
    expect(seen).toMatchObject({ width: 640, height: 360, colours: ['red', 'lime'] });
    expect(Math.abs(seen.duration - (toMs - fromMs))).toBeLessThan(100);
    await probeVideo(video);
    await show(api, id, colours, 'yellow');
    await api.remove(id);
    expect(await untilMade(api, id, recording?.id ?? '')).toMatchObject({ state: 'ready' });
  },
);

test('a recording that cannot be cut costs the bundle nothing else, and its list says why', async () => {
  const { api } = server;
  const { id } = (await api.create({ ...colours.shown('blue'), recording: true })).body;
  await watched(api, id, 'blue');
  const [recording] = await recordingsOf(api, id);
  await rm(join(server.dataDir, 'recordings', recording?.id ?? ''));
  const { entries, call } = await failedCall(id, 'lime');
  expect(call.recording).toMatchObject({
    id: recording?.id,
    omitted: 'It could not be made; the log has the cause. The recording itself has it.',
  });
  expect(entries.has('recording.webm')).toBe(false);
  expect(entries.has('screenshot.png')).toBe(true);
  await api.remove(id);
});

test('the bundle of a browser that is not recorded says nothing of recordings', async () => {
  const { id } = (await server.api.create(colours.shown('blue'))).body;
  const { entries, call } = await failedCall(id, 'lime');
  expect(call).not.toHaveProperty('recording');
  expect(entries.has('recording.webm')).toBe(false);
});
