import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';

const room = new URL('process.ts', import.meta.url).href;
const priority = new URL('priority.ts', import.meta.url).href;

/** A value (its nice value) of a process that goes first, where it may, and of one that it starts below itself. */
async function valuesIn(
  before: string,
  value = 'os.getPriority()',
  detached = true,
): Promise<[number, number]> {
  const program = `
    import { execFileSync } from 'node:child_process';
    import fs from 'node:fs';
    import os from 'node:os';
    const { belowService, goFirst } = await import('${room}');
    ${before};
    const [command, ...args] = belowService([process.execPath, '-p', ${JSON.stringify(value)}]);
    console.log(JSON.stringify([${value}, Number(execFileSync(command, args))]));`;
  // In a session of its own, whose weight it may change, or in ours.
  return outputOf(program, detached);
}

async function outputOf(program: string, detached = true): Promise<[number, number]> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached,
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  await once(child, 'close');
  return JSON.parse(text) as [number, number];
}

/** Nice values of the loop and of a thread that gives way, in a process that began with this one. */
const withThread = (began: number): Promise<[number, number]> =>
  outputOf(`
    import os from 'node:os';
    import { Worker } from 'node:worker_threads';
    os.setPriority(${began});
    const thread = new Worker(\`
      import('${priority}').then(({ threadGivesWay }) => {
        threadGivesWay();
        require('node:worker_threads').parentPort.postMessage(require('node:os').getPriority());
      });\`, { eval: true, execArgv: [] });
    thread.once('message', (value) => console.log(JSON.stringify([os.getPriority(), value])));`);

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
  // As what else runs on the machine, where that is far below the service already.
  expect(box).toBe(service === -10 ? 0 : 3);
});

test('a thread that works for long goes behind the loop, which stays where it is', async () => {
  expect(await withThread(getPriority())).toEqual([getPriority(), Math.max(5, getPriority())]);
});

test('a thread of a service that the operator started far behind stays there', async () => {
  const far = Math.max(12, getPriority());
  expect(await withThread(far)).toEqual([far, far]);
});

/** 0 where the kernel forms no groups. */
const weightOfSession = `(() => {
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs');
  const file = '/proc/self/autogroup';
  return existsSync(file) ? Number(readFileSync(file, 'latin1').split(' ').at(-1)) : 0;
})()`;

test('a service raises the weight of the session that it leads, not that of the shell it was started from', async () => {
  const [shells] = await valuesIn('', weightOfSession, false);
  const [shared] = await valuesIn('goFirst()', weightOfSession, false);
  expect(shared).toBe(shells);
  const [highest] = await valuesIn(
    "try { fs.writeFileSync('/proc/self/autogroup', '-10') } catch {}",
    weightOfSession,
  );
  const [own] = await valuesIn('goFirst()', weightOfSession);
  expect(own).toBe(highest);
});
