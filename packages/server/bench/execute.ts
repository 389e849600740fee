/** `return 1` on a hot browser, on a fresh one, after a rest, and on eight at once. */
import { spawn } from 'node:child_process';
import { type Row, summarize, timed } from './measure.ts';
import { playwrightScript, rawPage } from './rivals.ts';
import { type Bench, startBench } from './service.ts';

const call = (bench: Bench, id: string, code = 'return 1') =>
  bench.call<{ success: boolean }>('POST', `/v1/browsers/${id}/script/execute`, { code });

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export async function benchExecute(): Promise<Row[]> {
  await using bench = await startBench();
  await bench.settled();
  const { id } = await bench.create();
  for (let n = 0; n < 20; n++) await call(bench, id);
  const raw = await rawPage();
  const hot: number[] = [];
  const bare: number[] = [];
  for (let n = 0; n < 200; n++) {
    hot.push((await timed(() => call(bench, id))).ms);
    bare.push((await timed(() => raw.evaluate())).ms);
  }
  await raw.close();

  const rested: number[] = [];
  await pause(11_000);
  rested.push((await timed(() => call(bench, id))).ms);

  const first: number[] = [];
  const scripted: number[] = [];
  for (let n = 0; n < 12; n++) {
    await bench.settled();
    await pause(1500);
    const fresh = await bench.create();
    first.push((await timed(() => call(bench, fresh.id))).ms);
    await bench.remove(fresh.id);
    scripted.push((await timed(runScript)).ms);
  }

  const eight = await Promise.all(Array.from({ length: 8 }, () => bench.create()));
  for (const browser of eight) await call(bench, browser.id);
  const crowd: number[] = [];
  await Promise.all(
    eight.map(async (browser) => {
      for (let n = 0; n < 50; n++) crowd.push((await timed(() => call(bench, browser.id))).ms);
    }),
  );
  return [
    ...summarize('execute', { 'execute, hot browser': hot, 'raw CDP evaluate': bare }),
    ...summarize('execute', {
      'execute, first call on a fresh browser': first,
      'Playwright script, own process': scripted,
    }),
    ...summarize('execute', { 'execute, after a rest (frozen runner)': rested }),
    ...summarize('execute', { 'execute, eight browsers at once': crowd }),
  ];
}

const runScript = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', playwrightScript], {
      stdio: 'inherit',
    });
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`the script ended with ${code}`)),
    );
  });
