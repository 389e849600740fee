/** What people do without the service, on the same machine with the same Chromium. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { type Page, chromium as playwright } from 'playwright-core';
import { launchChromium } from '../src/chromium/chromium.ts';
import { Cdp } from '../src/chromium/pipe/cdp.ts';
import { findChromium } from '../src/chromium/start/find.ts';
import { chromiumFlags } from '../src/chromium/start/flags.ts';
import { probeIsolation } from '../src/process/isolation.ts';

const runAs = '65534:65534';
const isolation = await probeIsolation({ wanted: 'process', path: process.env.PATH ?? '', runAs });
const found = await findChromium({
  chromiumPath: null,
  env: process.env,
  forAnotherUser: isolation.user !== undefined,
});

export const engines = (['shell', 'full'] as const).filter((engine) => found[engine]);
const screen = { width: 1280, height: 720, deviceScaleFactor: 1, mobile: false };
const binaryOf = (engine: 'shell' | 'full'): string => found[engine]?.path ?? '';

/** The limit: the bare process with the service's flags, no box, until its page answers. */
export async function rawLaunch(): Promise<() => Promise<void>> {
  return (await rawPage()).close;
}

export interface RawPage {
  cdp: Cdp;
  sessionId: string;
  pid: number;
  evaluate(expression?: string): Promise<unknown>;
  /** Turns the events of its console on or off. */
  listen(on: boolean): Promise<unknown>;
  show(html: string): Promise<unknown>;
  /** A picture, as bytes; without options Chromium makes the smallest PNG. */
  capture(more?: { optimizeForSpeed?: boolean; format?: 'jpeg' }): Promise<Buffer>;
  print(): Promise<Buffer>;
  close(): Promise<void>;
}

/** A page of such a process, asked over its pipe. */
export async function rawPage(): Promise<RawPage> {
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
  const evaluate = async (expression = '1') => {
    const options = { expression, awaitPromise: true, returnByValue: true };
    return (await chromium.cdp.send('Runtime.evaluate', options, { sessionId })).result.value as unknown;
  };
  await evaluate();
  const decoded = ({ data }: { data: string }) => Buffer.from(data, 'base64');
  return {
    cdp: chromium.cdp,
    sessionId,
    pid: chromium.pid,
    evaluate,
    async show(html) {
      await chromium.cdp.send('Emulation.setDeviceMetricsOverride', screen, { sessionId });
      await chromium.cdp.send('Page.setDocumentContent', { frameId: targetId, html }, { sessionId });
    },
    capture: async (more) =>
      decoded(await chromium.cdp.send('Page.captureScreenshot', { ...more }, { sessionId })),
    print: async () =>
      decoded(await chromium.cdp.send('Page.printToPDF', { generateTaggedPDF: true }, { sessionId })),
    async listen(on) {
      await chromium.cdp.send('Runtime.discardConsoleEntries', undefined, { sessionId });
      await chromium.cdp.send(on ? 'Runtime.enable' : 'Runtime.disable', undefined, { sessionId });
    },
    async close() {
      await chromium.kill();
      await rm(profileDir, { recursive: true, force: true });
    },
  };
}

/** The same Chromium with the usual debugging port, on loopback. */
export async function socketChromium(): Promise<{ url: string; close(): Promise<void> }> {
  const profileDir = await mkdtemp(join(tmpdir(), 'browserd-port-'));
  const { user } = isolation;
  if (user) await chown(profileDir, user.uid, user.gid);
  const child = spawn(
    binaryOf(engines[0] ?? 'shell'),
    [
      '--headless',
      '--remote-debugging-port=0',
      '--no-first-run',
      '--disable-background-networking',
      '--proxy-server=http://127.0.0.1:9',
      '--proxy-bypass-list=<-loopback>',
      `--user-data-dir=${profileDir}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], ...user },
  );
  const ended = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk;
      const address = /DevTools listening on (\S+)/.exec(said)?.[1];
      if (address) resolve(address);
    });
    void ended.then(() => reject(new Error(`Chromium did not start:\n${said}`)));
  });
  return {
    url,
    async close() {
      child.kill('SIGKILL');
      await ended;
      await rm(profileDir, { recursive: true, force: true, maxRetries: 5 });
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

/** A script that keeps its browser and its page. */
export async function playwrightPage(html: string): Promise<{ page: Page; close(): Promise<void> }> {
  const browser = await playwright.launch({ executablePath: binaryOf(engines[0] ?? 'shell') });
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.setContent(html);
  return { page, close: () => browser.close() };
}

/** The same as a program of its own, as a queue worker or a cron job would run it. */
export const playwrightScript = `
  const { chromium } = await import(${JSON.stringify(import.meta.resolve('playwright-core'))});
  const browser = await chromium.launch({ executablePath: ${JSON.stringify(binaryOf(engines[0] ?? 'shell'))} });
  const page = await browser.newPage();
  await page.evaluate('1');
  await browser.close();`;

/** A script that launches a browser for one page, as most are written. */
export async function playwrightOnce(url: string, work: (page: Page) => Promise<unknown>): Promise<unknown> {
  const browser = await playwright.launch({ executablePath: binaryOf(engines[0] ?? 'shell') });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(url);
    return await work(page);
  } finally {
    await browser.close();
  }
}

/** A script that keeps its browser and gives every job a context. */
export async function playwrightContexts(): Promise<{
  visit(url: string, work: (page: Page) => Promise<unknown>): Promise<unknown>;
  close(): Promise<void>;
}> {
  const browser = await playwright.launch({ executablePath: binaryOf(engines[0] ?? 'shell') });
  return {
    async visit(url, work) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
      try {
        const page = await context.newPage();
        await page.goto(url);
        return await work(page);
      } finally {
        await context.close();
      }
    },
    close: () => browser.close(),
  };
}

/** What a bare Chromium is asked for in place of Playwright's calls. */
export const bareWorks = {
  screenshot: ['Page.captureScreenshot', {}],
  pdf: ['Page.printToPDF', { generateTaggedPDF: true }],
  scrape: ['Runtime.evaluate', { expression: 'document.body.innerText', returnByValue: true }],
} as const;

/**
 * The least that a page in a context of its own costs: Chromium with the service's flags, and no more commands than needed.
 * No service and no library can be faster with this Chromium.
 */
export async function bareContexts(): Promise<{
  visit(url: string, work: keyof typeof bareWorks): Promise<unknown>;
  close(): Promise<void>;
}> {
  const profileDir = await mkdtemp(join(tmpdir(), 'browserd-bare-'));
  const { user } = isolation;
  if (user) await chown(profileDir, user.uid, user.gid);
  const engine = engines[0] ?? 'shell';
  const options = { engine, profileDir, proxyUrl: 'direct://', boxed: false, sandbox: true };
  const onlyExit = /^--(?:proxy-|host-resolver-)/;
  const child = spawn(
    binaryOf(engine),
    chromiumFlags(options).filter((flag) => !onlyExit.test(flag)),
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], ...user },
  );
  const ended = once(child, 'exit');
  const [, , , input, output] = child.stdio;
  const cdp = new Cdp({ input: input as Writable, output: output as Readable, timeoutMs: 60_000 });
  const loaded = new Map<string | undefined, () => void>();
  cdp.on('Page.loadEventFired', (_, sessionId) => loaded.get(sessionId)?.());
  return {
    async visit(url, work) {
      const { browserContextId } = await cdp.send('Target.createBrowserContext');
      const { targetId } = await cdp.send('Target.createTarget', { url: 'about:blank', browserContextId });
      const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: true });
      const { promise, resolve } = Promise.withResolvers<void>();
      loaded.set(sessionId, resolve);
      await cdp.send('Page.enable', undefined, { sessionId });
      await cdp.send('Page.navigate', { url }, { sessionId });
      await promise;
      loaded.delete(sessionId);
      const [method, params] = bareWorks[work];
      const made = await cdp.send(method, params, { sessionId });
      await cdp.send('Target.disposeBrowserContext', { browserContextId });
      return made;
    },
    async close() {
      child.kill('SIGKILL');
      await ended;
      await rm(profileDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A server of its own that makes PDFs and pictures as Gotenberg does. */
export async function gotenbergLike(): Promise<{
  post(path: string, form: FormData): Promise<unknown>;
  close(): Promise<void>;
}> {
  const program = join(import.meta.dirname, 'gotenberg-like.ts');
  const child = spawn(process.execPath, [program, binaryOf(engines[0] ?? 'shell')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const takeAlong = (): void => void child.kill('SIGTERM');
  process.once('exit', takeAlong);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    async post(path, form) {
      const response = await fetch(`${said.toString().trim()}${path}`, { method: 'POST', body: form });
      if (!response.ok) throw new Error(`Gotenberg-like ${path}: ${await response.text()}`);
      return response.arrayBuffer();
    },
    async close() {
      process.off('exit', takeAlong);
      child.kill('SIGTERM');
      await ended;
    },
  };
}
