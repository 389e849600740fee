import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findChromium } from './find.ts';

let root: string;
let env: Record<string, string>;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'browserd-find-'));
  env = {
    PATH: [join(root, 'usr/local/bin'), join(root, 'usr/bin')].join(':'),
    HOME: join(root, 'home/ann'),
  };
  await chmod(root, 0o755);
});
afterEach(() => rm(root, { recursive: true }));

/** Puts a file that looks like a program (an ELF header) or a script into the machine of this test. */
async function put(path: string, { script = false, mode = 0o755 } = {}): Promise<string> {
  const full = join(root, path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, script ? '#!/bin/sh\nexec chromium\n' : '\x7fELF');
  await chmod(full, mode);
  return full;
}

async function putPlaywright(folder: string, program: string, cache = 'home/ann/.cache/ms-playwright') {
  await put(`${cache}/${folder}/INSTALLATION_COMPLETE`, { mode: 0o644 });
  return put(`${cache}/${folder}/${program}`);
}

const find = (options: Partial<Parameters<typeof findChromium>[0]> = {}) =>
  findChromium({ chromiumPath: null, env, root, platform: 'linux', ...options });

describe('the path named by the operator', () => {
  test('decides alone, whatever else is on the machine', async () => {
    await put('usr/lib/chromium/chromium-headless-shell');
    const path = await put('somewhere/my-chrome');
    expect(await find({ chromiumPath: path })).toEqual({
      full: { path, engine: 'full', source: 'BROWSERD_CHROMIUM_PATH' },
      searched: [path],
    });
  });

  test.each(['headless_shell', 'chrome-headless-shell', 'chromium-headless-shell'])(
    'is a headless shell when it is called %s',
    async (name) => {
      const path = await put(`somewhere/${name}`);
      expect((await find({ chromiumPath: path })).shell?.path).toBe(path);
    },
  );

  test('may be a script, because the operator knows better', async () => {
    const path = await put('somewhere/chromium', { script: true });
    expect((await find({ chromiumPath: path })).full?.path).toBe(path);
  });

  test('that is missing, a folder or not executable finds nothing and says where it looked', async () => {
    await put('usr/lib/chromium/chromium');
    const plain = await put('somewhere/chromium', { mode: 0o644 });
    for (const path of [plain, dirname(plain), join(root, 'nowhere')])
      expect(await find({ chromiumPath: path })).toEqual({ searched: [path] });
  });
});

describe('the system', () => {
  test('gives both engines of Debian, and never the scripts in /usr/bin', async () => {
    await put('usr/bin/chromium', { script: true });
    await put('usr/bin/chromium-headless-shell', { script: true });
    const full = await put('usr/lib/chromium/chromium');
    const shell = await put('usr/lib/chromium/chromium-headless-shell');
    expect(await find()).toMatchObject({
      shell: { path: shell, engine: 'shell', source: 'system' },
      full: { path: full, engine: 'full', source: 'system' },
    });
  });

  test('is not believed when its chromium is a snap', async () => {
    const snap = await put('usr/bin/snap');
    await symlink(snap, join(root, 'usr/bin/chromium'));
    expect((await find()).full).toBeUndefined();
  });

  test('is asked by PATH first, in the order of its folders', async () => {
    await put('usr/lib/chromium/chromium-headless-shell');
    await put('usr/bin/chrome-headless-shell');
    const first = await put('usr/local/bin/chrome-headless-shell');
    expect((await find()).shell).toEqual({ path: first, engine: 'shell', source: 'PATH' });
  });

  test('has its apps in other places on macOS, the user’s own included', async () => {
    const app = await put('home/ann/Applications/Google Chrome.app/Contents/MacOS/Google Chrome');
    expect((await find({ platform: 'darwin' })).full?.path).toBe(app);
  });
});

describe('the caches of Playwright and Puppeteer', () => {
  test('are used for the engine that the system lacks', async () => {
    const full = await put('opt/google/chrome/chrome');
    const shell = await putPlaywright('chromium_headless_shell-1254', 'chrome-linux/headless_shell');
    const found = await find();
    expect(found.full?.path).toBe(full);
    expect(found.shell).toEqual({ path: shell, engine: 'shell', source: 'Playwright' });
  });

  test('give their newest, by number and not by letter', async () => {
    await putPlaywright('chromium-999', 'chrome-linux64/chrome');
    const newest = await putPlaywright('chromium-1254', 'chrome-linux64/chrome');
    expect((await find()).full?.path).toBe(newest);
  });

  test('are passed over where a download was interrupted', async () => {
    await put('home/ann/.cache/ms-playwright/chromium-1300/chrome-linux64/chrome');
    const whole = await putPlaywright('chromium-1254', 'chrome-linux64/chrome');
    expect((await find()).full?.path).toBe(whole);
  });

  test('may be moved by the environment', async () => {
    const elsewhere = await putPlaywright('chromium-1', 'chrome-linux/chrome', 'srv/browsers');
    env.PLAYWRIGHT_BROWSERS_PATH = join(root, 'srv/browsers');
    expect((await find()).full?.path).toBe(elsewhere);
  });

  test('tell the version where the folder is named after it', async () => {
    const at = (version: string) => `home/ann/.cache/puppeteer/chrome/linux-${version}/chrome-linux64/chrome`;
    await put(at('156.0.9.1'));
    const path = await put(at('156.0.10.1'));
    expect((await find()).full).toEqual({ path, engine: 'full', version: '156.0.10.1', source: 'Puppeteer' });
  });
});

describe('a service started as root', () => {
  test('passes over a Chromium in a home folder that its unprivileged user cannot enter', async () => {
    await putPlaywright('chromium-1254', 'chrome-linux64/chrome');
    await chmod(join(root, 'home/ann'), 0o700);
    const shared = await putPlaywright('chromium-1200', 'chrome-linux64/chrome', 'opt/ms-playwright');
    expect((await find({ forAnotherUser: true })).full?.path).toBe(shared);
  });
});

test('without a Chromium on the machine, the error names every place that was searched', async () => {
  const found = await find();
  expect(found.shell ?? found.full).toBeUndefined();
  expect(found.searched).toEqual(
    expect.arrayContaining([
      'PATH',
      join(root, 'usr/lib/chromium/chromium'),
      join(root, 'home/ann/.cache/ms-playwright'),
      join(root, 'home/ann/.cache/puppeteer'),
    ]),
  );
});
