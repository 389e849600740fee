import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { snapshotName } from '../box/box.ts';
import { makeFolder, strictIsolation } from '../chromium.fixture.ts';
import { OneRunner } from '../one-runner.ts';
import { Scene } from '../runner.fixture.ts';
import { layOutToolbox, type Toolbox } from './toolbox.ts';

const limits = { heapMb: 384, memoryMb: 1024 };
const clean = new AsyncDisposableStack();
let folder: string;
let toolbox: Toolbox;
beforeAll(async () => {
  folder = clean.use(await makeFolder(strictIsolation)).path;
  toolbox = await layOutToolbox(folder, limits);
});
afterAll(() => clean.disposeAsync());

const start = (from: Toolbox, timeoutMs = 30_000): Promise<OneRunner> =>
  OneRunner.start({
    toolbox: from,
    isolation: strictIsolation,
    limits,
    folder,
    timeoutMs,
    inBackground: false,
  });

test('a toolbox has a snapshot, and a runner starts from it', async () => {
  expect(toolbox.hasSnapshot).toBe(true);
  await using runner = await start(toolbox);
  expect(runner.alive).toBe(true);
});

test('a runner starts without one', async () => {
  const [there, away] = [join(toolbox.folder, snapshotName), join(folder, 'away')];
  await rename(there, away);
  await using runner = await start({ ...toolbox, hasSnapshot: false });
  expect(runner.alive).toBe(true);
  await rename(away, there);
});

test('runners of one snapshot have nothing in common that is random, nor the time of its making', async () => {
  await using scene = await Scene.open('strict', { size: 0 });
  const code = `return {
    numbers: [Math.random(), crypto.randomUUID(), crypto.getRandomValues(new Uint8Array(8)).join(), context._guid, page._guid],
    aged: Date.now() - performance.timeOrigin,
  }`;
  const look = async () => (await scene.result(code)) as { numbers: unknown[]; aged: number };
  const before = Date.now();
  const first = await look();
  await (await scene.runner()).close();
  const second = await look();
  expect(first.numbers.filter((each) => second.numbers.includes(each))).toEqual([]);
  expect(new Set([...first.numbers, ...second.numbers]).size).toBe(10);
  for (const { aged } of [first, second]) expect(aged).toBeLessThan(Date.now() - before + 1000);
});
