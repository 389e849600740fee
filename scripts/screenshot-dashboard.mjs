import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Browserd } from '@browserd/sdk';
import { chromium } from 'playwright-core';
import { findChromium } from '../packages/server/src/chromium/find.ts';
import { readConfig } from '../packages/server/src/config.ts';
import { createLog } from '../packages/server/src/kit/log.ts';
import { startService } from '../packages/server/src/service.ts';
import { ensureDashboard } from './lib/dashboard.mjs';
import { Problem, program, root, say } from './lib/program.mjs';

/**
 * npm run screenshots: the pictures of the dashboard in docs/images, taken of a real service with a few browsers at
 * work on a site of this machine. Runs on the pinned Node (with-node.mjs).
 */
const picture = join(root, 'docs/images/dashboard.png');
const apiKey = 'bd_only-for-this-picture-0000';

const pages = {
  '/shop': ['Garden shop', '#2f6f4f', 'Tomato seeds · Watering can · Gloves'],
  '/orders': ['Orders of today', '#28527a', 'No. 1042 packed · No. 1043 on its way'],
  '/sign-in': ['Sign in', '#6b4a8a', 'The code was sent to your phone.'],
};

function startSite() {
  const site = createServer((request, response) => {
    const [title, color, text] = pages[request.url] ?? ['Nothing here', '#444', ''];
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      `<!doctype html><title>${title}</title><body style="margin:0;font:20px sans-serif"><h1 style="margin:0;padding:40px;background:${color};color:white">${title}</h1><p style="padding:40px">${text}</p>`,
    );
  });
  return new Promise((resolve) => site.listen(0, '127.0.0.1', () => resolve(site)));
}

async function startQuietService(folder) {
  // The browsers of a service that was started as root run as another user, who must get through.
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

/** Three at work, and one that is stopped. */
async function fill(client, origin) {
  const policy = { privateAccess: { localhost: true } };
  const open = (name, path) =>
    client.browsers.create({ name, startUrl: `${origin}${path}`, policy, metadata: { team: 'demo' } });
  await open('price watch', '/shop');
  const orders = await open('order desk', '/orders');
  await orders.execute(async ({ page }) => page.title());
  await open('account set-up', '/sign-in');
  const stopped = await open('nightly report', '/orders');
  await stopped.stop();
}

async function photograph(url) {
  const found = await findChromium({
    chromiumPath: process.env.BROWSERD_CHROMIUM_PATH || null,
    env: process.env,
  });
  const executablePath = (found.shell ?? found.full)?.path;
  if (!executablePath)
    throw new Problem('No Chromium was found to take the picture with. Run npm start once.');
  const web = await chromium.launch({ executablePath });
  try {
    const page = await web.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
    await page.goto(url);
    await page.getByLabel('API key').fill(apiKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('price watch').first().waitFor();
    await page.getByText('nightly report').first().waitFor();
    // each of the three that run shows what it sees
    await page.locator('.thumbnail img').nth(2).waitFor();
    mkdirSync(dirname(picture), { recursive: true });
    await page.screenshot({ path: picture, animations: 'disabled' });
  } finally {
    await web.close();
  }
}

await program(async () => {
  await using undo = new AsyncDisposableStack();
  if (!(await ensureDashboard(process.execPath))) return 1;
  const folder = mkdtempSync(join(tmpdir(), 'browserd-screenshots-'));
  undo.defer(() => rmSync(folder, { recursive: true, force: true }));
  const site = await startSite();
  undo.defer(() => site.close());
  const service = await startQuietService(folder);
  undo.defer(() => service.close());
  await fill(new Browserd({ baseUrl: service.url, apiKey }), `http://127.0.0.1:${site.address().port}`);
  await photograph(service.url);
  say(picture);
});
