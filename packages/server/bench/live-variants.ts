/**
 * Ways to get pictures of a page that moves all the time out of a bare Chromium, one after the other: how many they give,
 * and what one of them costs. The one that the live view takes is the first.
 */
import type { Cdp } from '../src/chromium/chromium.ts';
import { openEncoder } from '../src/chromium/pictures/encoder.ts';
import { below, cpuOf, pause } from './cpu.ts';
import { type Row, summarize } from './measure.ts';
import { animated } from './moving-pages.ts';
import { type RawPage, rawPage } from './rivals.ts';

const measureMs = 6000;
const rounds = 2;
const paceMs = 33;

interface Way {
  /** Called with each picture until it is told to stop. */
  run(page: RawPage, taken: (bytes: number) => void): Promise<() => Promise<unknown>>;
}

interface Ack {
  (frame: number, came: number): void;
  stop?(): void;
}

/** A screencast; `ack` decides when Chromium is told that a frame has come. */
const screencast = (options: object, acking: (send: (cast: number) => void) => Ack): Way => ({
  async run({ cdp, sessionId }, taken) {
    const ack = acking((cast) => {
      cdp.send('Page.screencastFrameAck', { sessionId: cast }, { sessionId }).catch(() => undefined);
    });
    const off = cdp.on('Page.screencastFrame', ({ data, sessionId: cast }, from) => {
      if (from !== sessionId) return;
      taken(Buffer.from(data, 'base64').length);
      ack(cast, performance.now());
    });
    await cdp.send(
      'Page.startScreencast',
      { format: 'jpeg', maxWidth: 1920, maxHeight: 1920, ...options },
      { sessionId },
    );
    return () => {
      off();
      ack.stop?.();
      return cdp.send('Page.stopScreencast', undefined, { sessionId });
    };
  },
});

const atOnce =
  (send: (cast: number) => void): Ack =>
  (cast) =>
    send(cast);

/** As before: one acknowledgement for all that came meanwhile, a pause after the last. */
const oneAtATime = (send: (cast: number) => void): Ack => {
  let isWaiting = false;
  return (cast) => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      send(cast);
    }, paceMs);
  };
};

const paced = (send: (cast: number) => void): Ack => {
  const owed: number[] = [];
  const timer = setInterval(() => {
    const cast = owed.shift();
    if (cast !== undefined) send(cast);
  }, paceMs);
  return Object.assign((cast: number) => void owed.push(cast), { stop: () => clearInterval(timer) });
};

const screenshots = (options: Record<string, unknown>): Way => ({
  async run({ cdp, sessionId }, taken) {
    let stopped = false;
    const loop = async (): Promise<void> => {
      while (!stopped) {
        const began = performance.now();
        const { data } = await cdp.send(
          'Page.captureScreenshot',
          { optimizeForSpeed: true, ...options },
          { sessionId },
        );
        taken(Buffer.from(data, 'base64').length);
        await pause(Math.max(0, paceMs - (performance.now() - began)));
      }
    };
    const done = loop();
    return () => {
      stopped = true;
      return done;
    };
  },
});

const ways: Record<string, Way> = {
  'screencast, quality 70, paced (ours)': screencast({ quality: 70 }, paced),
  'screencast, quality 70, one at a time (before)': screencast({ quality: 70 }, oneAtATime),
  'screencast, quality 70, acknowledged at once': screencast({ quality: 70 }, atOnce),
  'screencast, quality 50, paced': screencast({ quality: 50 }, paced),
  'screencast, quality 85, paced': screencast({ quality: 85 }, paced),
  'screencast, every second frame, at once': screencast({ quality: 70, everyNthFrame: 2 }, atOnce),
  'screenshots, JPEG 70': screenshots({ format: 'jpeg', quality: 70 }),
  'screenshots, WebP 70': screenshots({ format: 'webp', quality: 70 }),
};

export async function benchVariants(): Promise<Row[]> {
  const page = await rawPage();
  const url = `data:text/html,${encodeURIComponent(animated)}`;
  const { cdp, sessionId } = page;
  const screen = { width: 1280, height: 720, deviceScaleFactor: 1, mobile: false };
  await cdp.send('Emulation.setDeviceMetricsOverride', screen, { sessionId });
  await cdp.send('Page.navigate', { url }, { sessionId });
  const cpu = async (): Promise<number> => cpuOf(page.pid) + (await below(page.pid));
  const series = { rate: {}, load: {}, cost: {}, size: {} } as Record<string, Record<string, number[]>>;
  const note = (kind: string, name: string, value: number): void => {
    const at = series[kind] as Record<string, number[]>;
    at[name] = [...(at[name] ?? []), value];
  };
  for (let round = 0; round < rounds; round++) {
    await pause(1000);
    const idle = await measured(cpu, () => 0);
    note('load', 'nobody looks', idle.percent);
    for (const [name, way] of Object.entries(ways)) {
      let [pictures, bytes] = [0, 0];
      const stop = await way.run(page, (size) => {
        pictures++;
        bytes += size;
      });
      await pause(1000);
      [pictures, bytes] = [0, 0];
      const { percent, cpuMs, count, seconds } = await measured(cpu, () => pictures);
      const size = bytes / Math.max(1, pictures) / 1024;
      await stop();
      note('rate', name, count / seconds);
      note('load', name, percent);
      note('cost', name, (cpuMs - (idle.cpuMs / idle.seconds) * seconds) / Math.max(1, count));
      note('size', name, size);
    }
  }
  const encoded = await encoding(page, cpu);
  await page.close();
  const rows = (kind: string, what: string, unit: string): Row[] => {
    const named = Object.entries(series[kind] ?? {}).map(([name, values]) => [`${what}: ${name}`, values]);
    return summarize('live', Object.fromEntries(named), unit);
  };
  return [
    ...rows('rate', 'pictures', 'a second'),
    ...rows('load', 'Chromium', '% of a core'),
    ...rows('cost', 'a picture, more than nobody looks', 'ms of CPU'),
    ...rows('size', 'a picture', 'KiB'),
    ...summarize('live', encoded, 'ms of CPU'),
  ];
}

async function measured(cpu: () => Promise<number>, pictures: () => number) {
  const [began, before, from] = [performance.now(), await cpu(), pictures()];
  await pause(measureMs);
  const [cpuMs, count] = [(await cpu()) - before, pictures() - from];
  const ms = performance.now() - began;
  return { cpuMs, count, seconds: ms / 1000, percent: (cpuMs / ms) * 100 };
}

/** What a picture costs more when it becomes a frame of a video: Chromium gives JPEGs alone, so it is encoded twice. */
async function encoding(page: RawPage, cpu: () => Promise<number>): Promise<Record<string, number[]>> {
  const jpegs: Buffer[] = [];
  while (jpegs.length < 60) jpegs.push(await page.capture({ optimizeForSpeed: true, format: 'jpeg' }));
  const tab = await newTab(page.cdp);
  const encoder = await openEncoder({ cdp: page.cdp, sessionId: tab }, { width: 1280, height: 720 });
  await page.cdp.send('Page.navigate', { url: 'about:blank' }, { sessionId: page.sessionId });
  await pause(1000);
  const costs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = await cpu();
    const pictures = jpegs.map((jpeg, at) => ({ atMs: (round * 60 + at) * paceMs, key: at === 0, jpeg }));
    await encoder.encode(pictures);
    costs.push(((await cpu()) - before) / jpegs.length);
  }
  return { 'a picture: VP9 of the JPEG, on top': costs };
}

async function newTab(cdp: Cdp): Promise<string> {
  const { targetId } = await cdp.send('Target.createTarget', { url: 'about:blank' });
  return (await cdp.send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
}
