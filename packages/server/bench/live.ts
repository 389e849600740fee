import { below, costs, cpuOf, pause } from './cpu.ts';
import { type Row, summarize } from './measure.ts';
import { movingPages, startMovingSite } from './moving-pages.ts';
import { startBench } from './service.ts';

const rounds = 3;

/** What the live view costs Chromium and the service: before the first viewer, with one viewer, and after it. */
export async function benchLive(): Promise<Row[]> {
  await using site = await startMovingSite();
  const rows: Row[] = [];
  for (const page of movingPages) rows.push(...(await watched(page, `${site.origin}/${page}`)));
  return rows;
}

async function watched(page: string, startUrl: string): Promise<Row[]> {
  await using bench = await startBench({ BROWSERD_POOL_SIZE: '0', BROWSERD_RUNNER_POOL_SIZE: '0' });
  const policy = { privateAccess: { localhost: true } };
  const { id } = await bench.create({ startUrl, policy });
  const clocks = [() => below(bench.pid), () => cpuOf(bench.pid)] as const;
  const times = ['nobody looks any more', 'nobody has looked', 'one looks'] as const;
  const seriesOf = (who: string) => Object.fromEntries(times.map((time) => [`${page}: ${who}, ${time}`, []]));
  const load: Record<string, Record<string, number[]>> = {
    Chromium: seriesOf('Chromium'),
    service: seriesOf('service'),
  };
  const rates: number[] = [];
  const note = (time: (typeof times)[number], [chromium = 0, service = 0]: number[]): void => {
    for (const [who, value] of Object.entries({ Chromium: chromium, service }))
      load[who]?.[`${page}: ${who}, ${time}`]?.push(value);
  };
  await pause(1500);
  for (let round = 0; round < rounds; round++) {
    note(round === 0 ? 'nobody has looked' : 'nobody looks any more', await costs(...clocks));
    const body = { kind: 'live', mode: 'view' };
    const { socketUrl } = await bench.call<{ socketUrl: string }>(
      'POST',
      `/v1/browsers/${id}/capabilities`,
      body,
    );
    const viewer = await watch(socketUrl);
    await pause(1000);
    const before = viewer.frames();
    const began = performance.now();
    note('one looks', await costs(...clocks));
    rates.push((viewer.frames() - before) / ((performance.now() - began) / 1000));
    await viewer.close();
    await pause(500);
  }
  note('nobody looks any more', await costs(...clocks));
  return [
    ...Object.values(load).flatMap((series) => summarize('live', series, '% of a core')),
    ...summarize('live', { [`${page}: pictures`]: rates }, 'a second'),
  ];
}

/** A viewer that draws each picture at once. */
async function watch(socketUrl: string): Promise<{ frames(): number; close(): Promise<void> }> {
  const socket = new WebSocket(socketUrl);
  let frames = 0;
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') return;
    frames++;
    socket.send(JSON.stringify({ type: 'ready' }));
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('The live socket did not open.')));
  });
  const closed = new Promise<void>((resolve) => {
    socket.addEventListener('close', () => resolve());
  });
  return {
    frames: () => frames,
    close() {
      socket.close();
      return closed;
    },
  };
}
