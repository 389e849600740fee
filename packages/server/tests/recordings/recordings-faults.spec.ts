import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesIn, processesOf } from '../support/leaks.ts';
import {
  type Colours,
  fetchContent,
  recordingsOf,
  slackMs,
  startColours,
  untilMade,
  videoOf,
  watched,
} from '../support/recording-client.ts';
import { eventually, makeFolders, spawnServer, startServer } from '../support/server.ts';
import { eventsOf } from '../support/stored.ts';
import { playVideo } from '../support/video.ts';

const longTest = 300_000;
let colours: Colours;
beforeAll(async () => {
  colours = await startColours();
});
afterAll(() => colours[Symbol.asyncDispose]());

const small = () => ({ ...colours.shown('red'), recording: true });

describe('the service', () => {
  test.each(['is killed', 'is stopped'])(
    '%s while it records: its next start makes the video of what was recorded',
    async (how) => {
      await using folders = await makeFolders();
      const killed = how === 'is killed' ? await spawnServer(folders.env) : undefined;
      const first = killed ?? (await startServer(folders.env));
      const { id } = (await first.api.create(small())).body;
      const redAt = await watched(first.api, id, 'red');
      if ('service' in first) await first.service.close();
      killed?.child.kill('SIGKILL');
      await killed?.exited;
      // what hangs on a killed process ends a moment after it
      await eventually(
        async () => processesOf(folders.scratchDir),
        (left) => left.length === 0,
      );

      const endedBy = Date.now();

      {
        await using second = await startServer(folders.env);
        const [cut] = await recordingsOf(second.api, id);
        const made = await untilMade(second.api, id, cut?.id ?? '');
        expect(made).toMatchObject({ state: 'ready', epoch: 1 });
        const startedAt = Date.parse(made.startedAt);
        // What was not written yet when it was killed is lost, but that is less than what was shown before.
        expect(startedAt + made.durationMs).toBeGreaterThan(redAt - slackMs);
        expect(startedAt + made.durationMs).toBeLessThanOrEqual(endedBy);
        const video = await videoOf(second.api, id, made.id);
        expect((await playVideo(second.api, video, [redAt - startedAt - slackMs / 2])).colours).toEqual([
          'red',
        ]);
        await second.api.remove(id);
      }
      expect(await filesIn(folders.scratchDir)).toEqual([]);
    },
    longTest,
  );
});

test(
  'a recording that is as long as one may be is followed by the next',
  async () => {
    await using server = await startServer({ BROWSERD_RECORDING_MAX_DURATION: '2s' });
    const { api } = server;
    const { id } = (await api.create(small())).body;
    await eventually(
      () => recordingsOf(api, id),
      (parts) => parts.length >= 3,
    );
    await api.remove(id);
    const parts = await recordingsOf(api, id);
    expect(parts[0]).toMatchObject({ epoch: 1, reason: expect.stringContaining('next one') });
    for (const part of parts) expect((await untilMade(api, id, part.id)).state).toBe('ready');
  },
  longTest,
);

test(
  'a video for which the project has no room fails with the reason, and nothing else does',
  async () => {
    // A page that stands still may give one picture, of which a video has less than a kilobyte.
    await using server = await startServer({ BROWSERD_STORAGE_QUOTA: '64B' });
    const { api, dataDir } = server;
    const { id } = (await api.create(small())).body;
    await watched(api, id, 'red');
    expect((await api.stop(id)).body.status).toBe('stopped');
    const [full] = await recordingsOf(api, id);
    const failed = await untilMade(api, id, full?.id ?? '');
    expect(failed).toMatchObject({ state: 'failed', reason: expect.stringContaining('64 bytes') });
    const refused = await fetchContent(api, id, failed.id);
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ error: { code: 'RECORDING_FAILED' } });
    const told = (await eventsOf(dataDir, id)).find(({ type }) => type === 'recording.failed');
    expect(told?.data).toMatchObject({ recordingId: failed.id, reason: failed.reason });
    await expect.poll(() => filesIn(`${dataDir}/recordings`)).toEqual([]);
    expect((await api.resume(id)).body).toMatchObject({ status: 'ready', epoch: 2 });
    await api.remove(id);
  },
  longTest,
);

test(
  'on a full disk a recording ends where it is, and the browser goes on',
  async () => {
    await using server = await startServer({ BROWSERD_STORAGE_RESERVE: '1000000GiB' });
    const { api } = server;
    const { id } = (await api.create(small())).body;
    const [part] = await recordingsOf(api, id);
    const ended = await untilMade(api, id, part?.id ?? '');
    expect(ended).toMatchObject({ state: 'failed', reason: expect.stringContaining('disk') });
    expect((await api.get(id)).body.status).toBe('ready');
    await api.remove(id);
  },
  longTest,
);
