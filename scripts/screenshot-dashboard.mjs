/**
 * npm run screenshots: the pictures of the dashboard in docs/images, taken of a real service with a few browsers at
 * work on a site of this machine. Runs on the pinned Node (with-node.mjs).
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Browserd } from '@browserd/sdk';
import { chromium } from 'playwright-core';
import { findChromium } from '../packages/server/src/chromium/start/find.ts';
import { readConfig } from '../packages/server/src/config.ts';
import { createLog } from '../packages/server/src/kit/log.ts';
import { startService } from '../packages/server/src/service.ts';
import { ensureDashboard } from './lib/dashboard.mjs';
import { startDemoSite } from './lib/demo-site.mjs';
import { Problem, program, root, say } from './lib/program.mjs';

const pictures = join(root, 'docs/images');
const apiKey = 'bd_only-for-this-picture-0000';

async function startQuietService(folder) {
  // The browsers of a service that was started as root run as another user, which must be able to enter.
  chmodSync(folder, 0o711);
  const config = readConfig({
    BROWSERD_PORT: '0',
    BROWSERD_API_KEY: apiKey,
    BROWSERD_DATA_DIR: join(folder, 'data'),
    BROWSERD_SCRATCH_DIR: join(folder, 'scratch'),
    BROWSERD_EXCHANGE_DIR: join(folder, 'exchange'),
    BROWSERD_LOG_LEVEL: 'error',
  });
  return startService(config, createLog(config.logLevel), process.env);
}

/** Four at work, one that is stopped, and one whose recording can be watched. */
async function fill(client, origin) {
  const policy = { privateAccess: { localhost: true } };
  const open = (name, path, more = {}) =>
    client.browsers.create({
      name,
      startUrl: `${origin}${path}`,
      policy,
      metadata: { team: 'garden' },
      ...more,
    });
  const stopped = await open('nightly report', '/orders');
  await stopped.stop();
  await open('price watch', '/shop');
  await open('order desk', '/orders');
  const robot = await open('portal robot', '/shop', { recording: true });
  await robot.execute(async ({ page, args, sleep }) => {
    await sleep(800);
    await page.evaluate(() => console.error('Uncaught TypeError: basket is not a function'));
    await page.goto(`${args}/orders`);
    await sleep(1200);
  }, origin);
  await robot.execute(async ({ page, args, sleep }) => {
    await page.goto(`${args}/sign-in`);
    await page.getByLabel('E-mail').pressSequentially('ada@example.com', { delay: 60 });
    await page.getByLabel('Code').pressSequentially('204 815', { delay: 60 });
    await sleep(800);
  }, origin);
  const { items } = await robot.recordings.list().page();
  await robot.recordings.stop(items[0].id);
  await robot.recordings.finished(items[0].id);
  return robot.id;
}

async function photograph(url, robot) {
  const found = await findChromium({
    chromiumPath: process.env.BROWSERD_CHROMIUM_PATH || null,
    env: process.env,
  });
  // only the whole Chromium plays every video
  const executablePath = (found.full ?? found.shell)?.path;
  if (!executablePath)
    throw new Problem('No Chromium was found to take the pictures with. Run npm start once.');
  const web = await chromium.launch({ executablePath });
  try {
    const page = await web.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
    const shoot = (name) => page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled' });
    await page.goto(url);
    await page.getByLabel('API key').fill(apiKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('nightly report').first().waitFor();
    // each of the three that run shows what it sees
    await page.locator('.thumbnail img').nth(2).waitFor();
    await shoot('dashboard');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${url}/app/browsers/${robot}`);
    await page.getByRole('link', { name: 'Replay' }).click();
    await page.locator('video').waitFor();
    await page.getByText('Went to').last().click();
    await page.waitForFunction(() => {
      const video = document.querySelector('video');
      return video.currentTime > 0 && !video.seeking && video.readyState >= 2;
    });
    await shoot('replay');
  } finally {
    await web.close();
  }
}

await program(async () => {
  await using undo = new AsyncDisposableStack();
  if (!(await ensureDashboard(process.execPath))) return 1;
  const folder = mkdtempSync(join(tmpdir(), 'browserd-screenshots-'));
  undo.defer(() => rmSync(folder, { recursive: true, force: true }));
  const site = await startDemoSite();
  undo.defer(() => site.close());
  const service = await startQuietService(folder);
  undo.defer(() => service.close());
  const client = new Browserd({ baseUrl: service.url, apiKey });
  const robot = await fill(client, `http://127.0.0.1:${site.address().port}`);
  mkdirSync(pictures, { recursive: true });
  await photograph(service.url, robot);
  say(pictures);
});
