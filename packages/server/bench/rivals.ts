import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium as playwright } from 'playwright-core';
import { type Cdp, launchChromium } from '../src/chromium/chromium.ts';
import { findChromium } from '../src/chromium/find.ts';
import { probeIsolation } from '../src/chromium/isolation.ts';

/** What people do without the service, on the same machine with the same Chromium. */
const runAs = { uid: 65534, gid: 65534 };
const isolation = await probeIsolation({ wanted: 'process', path: process.env.PATH ?? '', runAs });
const found = await findChromium({
  chromiumPath: null,
  env: process.env,
  forAnotherUser: isolation.user !== undefined,
});

export const engines = (['shell', 'full'] as const).filter((engine) => found[engine]);
const binaryOf = (engine: 'shell' | 'full'): string => found[engine]?.path ?? '';

/** The limit: the bare process with the service's flags, no box, until its page answers. */
export async function rawLaunch(): Promise<() => Promise<void>> {
  return (await rawPage()).close;
}

/** A page of such a process, asked over its pipe. */
export async function rawPage(): Promise<{
  cdp: Cdp;
  sessionId: string;
  pid: number;
  evaluate(): Promise<unknown>;
  close(): Promise<void>;
}> {
  const engine = engines[0] ?? 'shell';
  const profileDir = await mkdtemp(join(tmpdir(), 'browserd-raw-'));
  if (isolation.user) await chown(profileDir, isolation.user.uid, isolation.user.gid);
  const chromium = await launchChromium({
    engine,
    binary: binaryOf(engine),
    profileDir,
    proxyUrl: 'http://127.0.0.1:9',
    isolation,
    sandbox: true,
    launchTimeoutMs: 30_000,
    cdpTimeoutMs: 10_000,
  });
  const { targetInfos } = await chromium.cdp.send('Target.getTargets');
  const targetId = targetInfos.find((target) => target.type === 'page')?.targetId ?? '';
  const { sessionId } = await chromium.cdp.send('Target.attachToTarget', { targetId, flatten: true });
  const evaluate = () => chromium.cdp.send('Runtime.evaluate', { expression: '1' }, { sessionId });
  await evaluate();
  return {
    cdp: chromium.cdp,
    sessionId,
    pid: chromium.pid,
    evaluate,
    async close() {
      await chromium.kill();
      await rm(profileDir, { recursive: true, force: true });
    },
  };
}

/** A do-it-yourself script that launches per job. */
export async function playwrightLaunch(): Promise<() => Promise<void>> {
  const browser = await playwright.launch({ executablePath: binaryOf(engines[0] ?? 'shell') });
  const page = await browser.newPage();
  await page.evaluate('1');
  return () => browser.close();
}

/** The same as a program of its own, as a queue worker or a cron job would run it. */
export const playwrightScript = `
  const { chromium } = await import(${JSON.stringify(import.meta.resolve('playwright-core'))});
  const browser = await chromium.launch({ executablePath: ${JSON.stringify(binaryOf(engines[0] ?? 'shell'))} });
  const page = await browser.newPage();
  await page.evaluate('1');
  await browser.close();`;
