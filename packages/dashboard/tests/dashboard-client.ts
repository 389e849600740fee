import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { findChromium } from '../../server/src/chromium/start/find.ts';
import { newId } from '../../server/src/kit/id.ts';
import { openStore } from '../../server/src/store/store.ts';
import { startServer, type TestServer } from '../../server/tests/support/server.ts';

/** A user in front of the dashboard: the real service, and a Chromium of the user's own. */
export interface User extends AsyncDisposable {
  server: TestServer;
  browser: Browser;
  page: Page;
  /** Errors of the dashboard's own code, and what its content policy refused. */
  troubles: string[];
}

export async function startUser(settings: Record<string, string> = {}): Promise<User> {
  const builder = new URL('../../../scripts/lib/dashboard.mjs', import.meta.url).href;
  const { ensureDashboard } = await import(/* @vite-ignore */ builder);
  expect(await ensureDashboard(process.execPath), 'the dashboard must build').not.toBeNull();
  const server = await startServer(settings);
  const { full, shell } = await findChromium({ chromiumPath: null, env: process.env });
  const browser = await chromium.launch({ executablePath: (shell ?? full)?.path });
  const troubles: string[] = [];
  const page = await newWindow({ browser, troubles }, { viewport: { width: 1440, height: 1000 } });
  return {
    server,
    browser,
    page,
    troubles,
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** A window that shares nothing with the others, neither key nor settings. Its later tabs are watched too. */
export async function newWindow(
  { browser, troubles }: Pick<User, 'browser' | 'troubles'>,
  look: Parameters<Browser['newContext']>[0] = {},
): Promise<Page> {
  const context = await browser.newContext({ acceptDownloads: true, ...look });
  // how long it takes is the machine's affair
  context.setDefaultTimeout(90_000);
  context.on('page', (page) => {
    page.on('pageerror', ({ message }) => troubles.push(message));
    page.on('console', (message) => {
      if (/Content Security Policy|TrustedHTML|TrustedScript/.test(message.text()))
        troubles.push(message.text());
    });
  });
  return context.newPage();
}

export async function signIn({ page, server }: User): Promise<void> {
  await page.goto(server.api.url);
  await page.getByLabel('API key').fill(server.api.key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Browsers', exact: true }).waitFor();
}

/** A row in the table of nodes, as another machine would write it; nothing runs there. */
export async function addNode(
  { server }: Pick<User, 'server'>,
  more: { version?: string; zone?: string } = {},
): Promise<{ id: string; bootId: string }> {
  const store = await openStore({ databaseUrl: null, dataDir: server.dataDir });
  const node = { id: newId('node'), bootId: newId('node') };
  const now = Date.now();
  const address = `${'very-long-name.'.repeat(4)}internal:8788`;
  await store.nodes.boot({ ...node, startedAt: now, heartbeatAt: now, address, capacity: 40, ...more });
  await store.nodes.renew({ bootId: node.bootId, used: 12, warm: 3 });
  await store.close();
  return node;
}
