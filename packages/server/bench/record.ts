import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Cdp, captureFrames } from '../src/chromium/chromium.ts';
import { processTree } from '../src/chromium/process-tree.ts';
import { type Row, summarize } from './measure.ts';
import { rawPage } from './rivals.ts';
import { type Bench, startBench } from './service.ts';

const still = '<!doctype html><title>still</title><h1>Nothing moves</h1>';
/** Twelve discs and the background, all of the screen, at every frame. */
const animated = `<!doctype html><title>moving</title><style>body { margin: 0; overflow: hidden }
div { position: absolute; width: 200px; height: 200px; border-radius: 50% }</style><body><script>
const discs = Array.from({ length: 12 }, (_, i) => {
  const disc = document.createElement('div');
  disc.style.background = 'hsl(' + i * 30 + ', 80%, 50%)';
  disc.textContent = 'disc ' + i;
  document.body.append(disc);
  return disc;
});
const move = (t) => {
  document.body.style.background = 'hsl(' + ((t / 20) % 360) + ', 60%, 90%)';
  discs.forEach((disc, i) => {
    const x = 540 + 500 * Math.sin(t / 700 + i), y = 260 + 250 * Math.cos(t / 900 + i * 2);
    disc.style.transform = 'translate(' + x + 'px, ' + y + 'px)';
  });
  requestAnimationFrame(move);
};
requestAnimationFrame(move);
</script>`;

const pages: Record<string, string> = { still, animated };
const rounds = 3;
const measureMs = 5000;
const tickMs = 10;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** CPU time of one process so far, in ms. */
function cpuOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return 0;
  }
}

const below = async (pid: number): Promise<number> =>
  (await processTree(pid)).filter((ref) => ref.pid !== pid).reduce((sum, ref) => sum + cpuOf(ref.pid), 0);

/** Percent of a core that each costs over a while. */
async function costs(...clocks: (() => number | Promise<number>)[]): Promise<number[]> {
  const began = performance.now();
  const before = await Promise.all(clocks.map((clock) => clock()));
  await pause(measureMs);
  const after = await Promise.all(clocks.map((clock) => clock()));
  const tookMs = performance.now() - began;
  return after.map((value, index) => ((value - (before[index] ?? 0)) / tookMs) * 100);
}

/** What recording costs the browser and the service, what its video costs, and what other ways would have cost. */
export async function benchRecord(): Promise<Row[]> {
  const site = createServer((request, response) => {
    response.setHeader('content-type', 'text/html').end(pages[request.url?.slice(1) ?? ''] ?? still);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  try {
    const rows: Row[] = [];
    for (const page of Object.keys(pages)) rows.push(...(await recorded(page, `${origin}/${page}`)));
    return [...rows, ...(await otherWays())];
  } finally {
    site.close();
    site.closeAllConnections();
  }
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
