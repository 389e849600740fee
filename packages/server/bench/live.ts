/**
 * What the live view gives to one viewer and costs Chromium and the service: pictures, processor time, from the click to the
 * picture; then other ways to make the pictures, in a bare Chromium.
 */
import { below, cpuOf, pause } from './cpu.ts';
import { benchVariants } from './live-variants.ts';
import { openViewer } from './live-viewer.ts';
import { type Row, summarize } from './measure.ts';
import { movingPages, startMovingSite } from './moving-pages.ts';
import { engines } from './rivals.ts';
import { startBench } from './service.ts';

const rounds = 3;
const measureMs = 10_000;
const clicks = 60;
const policy = { privateAccess: { localhost: true } };
const noPools = { BROWSERD_POOL_SIZE: '0', BROWSERD_RUNNER_POOL_SIZE: '0' };

export async function benchLive(): Promise<Row[]> {
  await using site = await startMovingSite();
  const rows: Row[] = [];
  for (const engine of engines) {
    for (const page of movingPages) rows.push(...(await watched(engine, page, `${site.origin}/${page}`)));
    rows.push(...(await clicked(engine, `${site.origin}/clicked`)));
  }
  return [...rows, ...(await benchVariants())];
}

/** Before the first viewer, with one viewer, and after it. */
async function watched(engine: string, page: string, startUrl: string): Promise<Row[]> {
  await using bench = await startBench(noPools);
  const { id } = await bench.create({ startUrl, policy, engine });
  const series: Record<string, number[]> = {};
  const note = (what: string, value: number): void => {
    const name = `${engine}, ${page}: ${what}`;
    series[name] = [...(series[name] ?? []), value];
  };
  const measure = async (when: string) => {
    const [began, chromium, service] = [performance.now(), await below(bench.pid), cpuOf(bench.pid)];
    await pause(measureMs);
    const spent = { chromium: (await below(bench.pid)) - chromium, service: cpuOf(bench.pid) - service };
    const ms = performance.now() - began;
    const whole = spent.chromium + spent.service;
    for (const [who, cpuMs] of Object.entries({ 'the whole tree': whole, ...spent }))
      note(`${who}, ${when}`, (cpuMs / ms) * 100);
    return { ms, whole };
  };
  const loads = (): Row[] =>
    Object.entries(series).flatMap(([what, values]) => summarize('live', { [what]: values }, '% of a core'));
  await pause(1500);
  let idle = await measure('nobody has looked');
  const [rates, costs]: number[][] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const viewer = await openViewer(bench, id, 'view');
    await pause(1000);
    const before = viewer.frames();
    const { ms, whole } = await measure('one looks');
    const pictures = viewer.frames() - before;
    await viewer.close();
    await pause(500);
    rates?.push((pictures / ms) * 1000);
    if (pictures > ms / 1000) costs?.push((whole - (idle.whole / idle.ms) * ms) / pictures);
    idle = await measure('nobody looks any more');
  }
  const name = `${engine}, ${page}`;
  return [
    ...loads(),
    ...summarize('live', { [`${name}: pictures`]: rates ?? [] }, 'a second'),
    ...(costs?.length
      ? summarize('live', { [`${name}: a picture, more than nobody looks`]: costs }, 'ms of CPU')
      : []),
  ];
}

/** From the press of a button to the picture of what it changed, on a page that stands still otherwise. */
async function clicked(engine: string, startUrl: string): Promise<Row[]> {
  await using bench = await startBench(noPools);
  const { id } = await bench.create({ startUrl, policy, engine });
  const viewer = await openViewer(bench, id, 'control');
  const at = { type: 'mouse', x: 400, y: 300, button: 'left', clicks: 1 };
  const times: number[] = [];
  await pause(2000);
  for (let click = 0; click < clicks; click++) {
    const began = performance.now();
    const shown = viewer.next();
    viewer.say({ ...at, kind: 'down', buttons: 1 });
    times.push((await shown) - began);
    viewer.say({ ...at, kind: 'up' });
    // at no fixed time of Chromium's own clock, and after the last picture
    await pause(250 + Math.random() * 50);
  }
  await viewer.close();
  return summarize('live', { [`${engine}: click → picture`]: times });
}
