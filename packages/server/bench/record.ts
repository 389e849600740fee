/** What recording costs the browser and the service, what its video costs, and what other ways would have cost. */
import { type Cdp, captureFrames } from '../src/chromium/chromium.ts';
import { processTree } from '../src/process/process-tree.ts';
import { below, costs, cpuOf, pause } from './cpu.ts';
import { type Row, summarize } from './measure.ts';
import { animated, movingPages, startMovingSite } from './moving-pages.ts';
import { rawPage } from './rivals.ts';
import { type Bench, startBench } from './service.ts';

const rounds = 3;
export async function benchRecord(): Promise<Row[]> {
  await using site = await startMovingSite();
  const rows: Row[] = [];
  for (const page of movingPages) rows.push(...(await recorded(page, `${site.origin}/${page}`)));
  return [...rows, ...(await otherWays())];
}

interface Recording {
  id: string;
  state: string;
  durationMs: number;
  frames: number;
  size: number;
}

async function recorded(page: string, startUrl: string): Promise<Row[]> {
  await using bench = await startBench({ BROWSERD_POOL_SIZE: '0', BROWSERD_RUNNER_POOL_SIZE: '0' });
  const policy = { privateAccess: { localhost: true } };
  const { id } = await bench.create({ startUrl, policy });
  const path = `/v1/browsers/${id}/recordings`;
  const series = { with: [] as number[], without: [] as number[], service: [] as number[] };
  const videos = { frames: [] as number[], encode: [] as number[], bytes: [] as number[] };
  const service = () => cpuOf(bench.pid);
  const chromium = () => below(bench.pid);
  for (let round = 0; round < rounds; round++) {
    await pause(1000);
    const [without = 0, idle = 0] = await costs(chromium, service);
    const started = await bench.call<Recording>('POST', path);
    await pause(1500);
    const [recording = 0, busy = 0] = await costs(chromium, service);
    const encoder = new NewProcesses(bench.pid, await processTree(bench.pid));
    await bench.call('POST', `${path}/${started.id}/stop`);
    const made = await untilMade(bench, `${path}/${started.id}`, () => encoder.look());
    const minutes = made.durationMs / 60_000;
    series.without.push(without);
    series.with.push(recording);
    series.service.push(busy - idle);
    videos.frames.push(made.frames / (made.durationMs / 1000));
    videos.encode.push(encoder.cpu() / 1000 / minutes);
    videos.bytes.push(made.size / 1024 ** 2 / minutes);
  }
  return [
    ...summarize(
      'record',
      { [`${page}: Chromium, recorded`]: series.with, [`${page}: Chromium, not recorded`]: series.without },
      '% of a core',
    ),
    ...summarize('record', { [`${page}: service, more than unrecorded`]: series.service }, '% of a core'),
    ...summarize('record', { [`${page}: pictures`]: videos.frames }, 'a second'),
    ...summarize('record', { [`${page}: making the video`]: videos.encode }, 's of CPU a minute'),
    ...summarize('record', { [`${page}: the video`]: videos.bytes }, 'MiB a minute'),
  ];
}

/** What processes cost that come and go: each counts as it was last seen. */
class NewProcesses {
  readonly #root: number;
  readonly #old: Set<number>;
  readonly #seen = new Map<number, number>();

  constructor(root: number, old: { pid: number }[]) {
    this.#root = root;
    this.#old = new Set(old.map(({ pid }) => pid));
  }

  async look(): Promise<void> {
    for (const { pid } of await processTree(this.#root))
      if (!this.#old.has(pid)) this.#seen.set(pid, cpuOf(pid));
  }

  cpu(): number {
    return this.#seen.values().reduce((sum, each) => sum + each, 0);
  }
}

async function untilMade(bench: Bench, path: string, look: () => Promise<void>): Promise<Recording> {
  for (;;) {
    await look();
    const recording = await bench.call<Recording>('GET', path);
    if (recording.state === 'ready') return recording;
    if (recording.state === 'failed') throw new Error('the recording failed');
    await pause(50);
  }
}

type Way = (cdp: Cdp, sessionId: string, took: () => void) => () => void;

const cast =
  (ackMs: number): Way =>
  (cdp, sessionId, took) => {
    const off = cdp.on('Page.screencastFrame', ({ sessionId: number }) => {
      took();
      const ack = () => cdp.send('Page.screencastFrameAck', { sessionId: number }, { sessionId });
      setTimeout(() => void ack().catch(() => undefined), ackMs);
    });
    void cdp.send('Page.startScreencast', { format: 'jpeg', quality: 80 }, { sessionId });
    return () => {
      off();
      void cdp.send('Page.stopScreencast', undefined, { sessionId });
    };
  };

const poll =
  (format: 'jpeg' | 'webp'): Way =>
  (cdp, sessionId, took) => {
    let stopped = false;
    const loop = async () => {
      while (!stopped) {
        const next = pause(200);
        await cdp.send(
          'Page.captureScreenshot',
          { format, quality: 80, optimizeForSpeed: true },
          { sessionId },
        );
        took();
        await next;
      }
    };
    void loop();
    return () => {
      stopped = true;
    };
  };

const ways: Record<string, Way> = {
  nothing: () => () => undefined,
  ours: (cdp, sessionId, took) => captureFrames({ cdp, sessionId, take: async () => took() }).stop,
  'a JPEG every 200 ms': poll('jpeg'),
  'a WebP every 200 ms': poll('webp'),
  screencast: cast(0),
  'screencast, acknowledged after 200 ms': cast(200),
};

/** On the bare Chromium, with the animated page. */
async function otherWays(): Promise<Row[]> {
  const raw = await rawPage();
  const { cdp, sessionId, pid } = raw;
  const write = `document.open(); document.write(${JSON.stringify(animated)}); document.close()`;
  await cdp.send('Runtime.evaluate', { expression: write }, { sessionId });
  const load: Record<string, number[]> = {};
  const rate: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round++)
    for (const [name, way] of Object.entries(ways)) {
      let pictures = 0;
      const stop = way(cdp, sessionId, () => pictures++);
      await pause(500);
      const [percent = 0, taken = 0] = await costs(
        async () => cpuOf(pid) + (await below(pid)),
        () => pictures,
      );
      stop();
      await pause(500);
      load[`way, CPU: ${name}`] = [...(load[`way, CPU: ${name}`] ?? []), percent];
      rate[`way, pictures: ${name}`] = [...(rate[`way, pictures: ${name}`] ?? []), taken * 10];
    }
  await raw.close();
  return [...summarize('record', load, '% of a core'), ...summarize('record', rate, 'a second')];
}
