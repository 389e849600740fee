/**
 * Chromium as people start it for a client of their own: the same program that the service runs, with its debugging port
 * on loopback, a profile of its own, and the flags that Playwright and Puppeteer give it so that pages hold still.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '../src/chromium/start/find.ts';
import type { Engine } from '../src/kit/engine.ts';
import { probeIsolation } from '../src/process/isolation.ts';

export interface Bare extends AsyncDisposable {
  /** For clients. */
  url: string;
}

/** As root Chromium's sandbox does not work: like the service, it is given another user. */
const anotherUser = '65534:65534';

const flags = (engine: Engine, profileDir: string): string[] => [
  engine === 'full' ? '--headless=new' : '--headless',
  '--remote-debugging-port=0',
  `--user-data-dir=${profileDir}`,
  '--window-size=1280,720',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-sync',
  '--disable-back-forward-cache',
  '--disable-backgrounding-occluded-windows',
  '--disable-background-timer-throttling',
  '--disable-renderer-backgrounding',
  '--disable-ipc-flooding-protection',
  '--disable-popup-blocking',
  '--disable-prompt-on-repost',
  '--disable-search-engine-choice-screen',
  '--disable-features=AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,PaintHolding,Translate',
  '--enable-unsafe-swiftshader',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--mute-audio',
  '--password-store=basic',
  'about:blank',
];

/** The engines of this machine. */
export async function enginesHere(): Promise<Engine[]> {
  const found = await search();
  return (['shell', 'full'] as const).filter((engine) => found[engine]);
}

const isolationHere = () =>
  probeIsolation({ wanted: 'process', path: process.env.PATH ?? '', runAs: anotherUser });

async function search() {
  const { user } = await isolationHere();
  return findChromium({ chromiumPath: null, env: process.env, forAnotherUser: user !== undefined });
}

export async function startBare(engine: Engine): Promise<Bare> {
  const { user } = await isolationHere();
  const { [engine]: binary } = await search();
  if (!binary) throw new Error(`There is no Chromium of the engine ${engine} on this machine.`);
  const profileDir = await mkdtemp(join(tmpdir(), 'browserd-conformance-'));
  if (user) await chown(profileDir, user.uid, user.gid);
  await chmod(profileDir, 0o700);
  const child = spawn(binary.path, flags(engine, profileDir), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { HOME: profileDir, TMPDIR: profileDir, LANG: 'C.UTF-8', PATH: process.env.PATH },
    ...user,
  });
  const ended = once(child, 'exit');
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk).slice(-10_000);
      const address = /DevTools listening on (\S+)/.exec(said)?.[1];
      if (address) resolve(address);
    });
    void ended.then(() => reject(new Error(`Chromium did not start:\n${said}`)));
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      process.off('exit', end);
      end();
      await ended;
      await rm(profileDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
