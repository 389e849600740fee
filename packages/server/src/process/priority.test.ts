import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, getPriority } from 'node:os';
import { expect, test } from 'vitest';

const room = new URL('process.ts', import.meta.url).href;

/** A value (its nice value) of a process that goes first, where it may, and of one that it starts below itself. */
async function valuesIn(before: string, value = 'os.getPriority()'): Promise<[number, number]> {
  const program = `
    import { execFileSync } from 'node:child_process';
    import fs from 'node:fs';
    import os from 'node:os';
    const { belowService, goFirst, goInRealTime } = await import('${room}');
    ${before};
    const [command, ...args] = belowService([process.execPath, '-p', ${JSON.stringify(value)}]);
    console.log(JSON.stringify([${value}, Number(execFileSync(command, args))]));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // In a session of its own, whose weight it may change.
    detached: true,
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  await once(child, 'close');
  return JSON.parse(text) as [number, number];
}

test('boxes are below the service', async () => {
  const [service, box] = await valuesIn('');
  expect(service).toBe(getPriority());
  expect(box).toBe(3);
});

test('a service that may goes before everything else, and its boxes do not', async () => {
  const [highest] = await valuesIn('try { (await import("node:os")).setPriority(-10) } catch {}');
  const [service, box] = await valuesIn('goFirst()');
  expect(service).toBe(highest);
  if (process.getuid?.() !== 0) expect(service).toBe(getPriority());
  expect(box).toBe(3);
});

test('the loop of a service that may is scheduled in real time, and what it starts is not', async () => {
  /** The kernel's number of its class: 0 for ordinary processes, 2 for real time in turns. */
  const scheduling = `Number(fs.readFileSync('/proc/self/stat', 'latin1').split(') ')[1].split(' ')[38])`;
  const [service, box] = await valuesIn('goFirst(); goInRealTime()', scheduling);
  const may = process.getuid?.() === 0 && availableParallelism() > 1;
  expect(service).toBe(may ? 2 : 0);
  expect(box).toBe(0);
  expect((await valuesIn('goFirst(); goInRealTime()'))[1]).toBe(3);
});
