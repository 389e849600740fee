import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../kit/log.ts';
import { witness } from './witness.ts';

const log = createLog('silent');

/** A process that stands in for the service. */
function stand(source: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'browserd-witness-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'service.mjs');
  writeFileSync(file, source);
  return [file];
}

/** The service, and which boots were buried. */
async function watched(source: string, bury?: (bootId: string) => Promise<number>, patienceMs = 60_000) {
  const buried: string[] = [];
  const code = await witness({
    args: stand(source),
    bury: async (bootId) => {
      const browsers = await (bury?.(bootId) ?? 0);
      buried.push(bootId);
      return browsers;
    },
    patienceMs,
    log,
  });
  return { code, buried };
}

const joined = `const told = new Promise((resolve) => process.send({ bootId: 'boot_1' }, resolve)); await told;`;

test('a service that is killed is buried, with the exit code of a shell', async () => {
  expect(
    await watched(`${joined} process.kill(process.pid, 'SIGKILL'); setInterval(() => 0, 1000);`),
  ).toEqual({
    code: 137,
    buried: ['boot_1'],
  });
});

test('one that ends by itself is buried as well, and its code is passed on', async () => {
  expect(await watched(`${joined} process.exit(75);`)).toEqual({ code: 75, buried: ['boot_1'] });
});

test('one that never became a node leaves nothing to bury', async () => {
  expect(await watched('process.exit(1);')).toEqual({ code: 1, buried: [] });
});

test('a boot that is told with the last breath is buried', async () => {
  expect(await watched(`process.send({ bootId: 'boot_1' }, () => process.exit(0));`)).toEqual({
    code: 0,
    buried: ['boot_1'],
  });
});

test('a signal is passed on, and the witness stays until the service is over', async () => {
  const waits = `${joined} process.on('SIGTERM', () => setTimeout(() => process.exit(3), 50)); process.send({ bootId: 'boot_2' }); setInterval(() => 0, 1000);`;
  const heard = Promise.withResolvers<void>();
  const others = new Set(process.listeners('SIGTERM'));
  const outcome = witness({
    args: stand(waits),
    bury: async () => 0,
    patienceMs: 60_000,
    log,
    onJoined: (bootId) => bootId === 'boot_2' && heard.resolve(),
  });
  await heard.promise;
  // Libraries of other tests in this process would take a real one for its end.
  for (const hear of process.listeners('SIGTERM')) if (!others.has(hear)) hear('SIGTERM');
  expect(await outcome).toBe(3);
});

test('while the database is away the burial is tried again', async () => {
  let attempts = 0;
  const outcome = await watched(`${joined} process.exit(1);`, async () => {
    if (++attempts < 3) throw new Error('the database is away');
    return 4;
  });
  expect(outcome).toEqual({ code: 1, buried: ['boot_1'] });
  expect(attempts).toBe(3);
});

test('once the lease is over the witness tries no more', async () => {
  const away = async () => {
    throw new Error('the database is away');
  };
  expect(await watched(`${joined} process.exit(1);`, away, 0)).toEqual({ code: 1, buried: [] });
});
