/** The places where a Chromium usually lies, as data. */

import { join } from 'node:path';
import type { Engine } from '../../kit/engine.ts';

type Env = Record<string, string | undefined>;

export const namesOnPath = [
  'chrome-headless-shell',
  'chromium-headless-shell',
  'headless_shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

/** The programs themselves, not the scripts in /usr/bin that start them. */
const systemPrograms: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: [
    '/usr/lib/chromium/chromium-headless-shell',
    '/usr/lib64/chromium-browser/headless_shell',
    '/usr/lib/chromium/chromium',
    '/usr/lib/chromium-browser/chromium-browser',
    '/usr/lib64/chromium-browser/chromium-browser',
    '/usr/lib64/chromium/chromium',
    '/opt/google/chrome/chrome',
  ],
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
};

export function knownPlaces(platform: NodeJS.Platform, root: string, env: Env): string[] {
  const programs = systemPrograms[platform] ?? [];
  const ofUser =
    platform === 'darwin' && env.HOME ? programs.map((path) => join(env.HOME as string, path)) : [];
  return [...programs.map((path) => join(root, path)), ...ofUser];
}

/** The user's cache, and the one that set-up fills when it runs as root (scripts/lib/install-plan.mjs). */
export function playwrightCaches(platform: NodeJS.Platform, root: string, env: Env): string[] {
  const shared = join(root, '/opt/ms-playwright');
  const named = env.PLAYWRIGHT_BROWSERS_PATH;
  // "0" means "inside the package" to Playwright: nothing to share with us.
  if (named && named !== '0') return [named, shared];
  if (!env.HOME) return [shared];
  const user =
    platform === 'darwin'
      ? join(env.HOME, 'Library/Caches')
      : (env.XDG_CACHE_HOME ?? join(env.HOME, '.cache'));
  return [join(user, 'ms-playwright'), shared];
}

export function puppeteerCaches(env: Env): string[] {
  if (env.PUPPETEER_CACHE_DIR) return [env.PUPPETEER_CACHE_DIR];
  return env.HOME ? [join(env.HOME, '.cache/puppeteer')] : [];
}

/** The program inside an unpacked download, under a folder such as `chrome-linux64`. */
export const programsInDownload: Record<Engine, string[]> = {
  shell: ['chrome-headless-shell', 'headless_shell'],
  full: [
    'chrome',
    'Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
    'Chromium.app/Contents/MacOS/Chromium',
  ],
};
