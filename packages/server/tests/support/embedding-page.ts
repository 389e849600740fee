import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { type Browser, chromium, type Frame, type Page } from 'playwright-core';
import { findChromium } from '../../src/chromium/start/find.ts';

/** The helper of the SDK as a page has it: the page of another site that shows a live view in a frame. */
const source = readFileSync(join(import.meta.dirname, '../../../sdk/src/live-frame.ts'), 'utf8');
const helper = stripTypeScriptTypes(source).replace(/^export /gm, '');

/** The page that the guide tells a reader to make. */
const guide = readFileSync(join(import.meta.dirname, '../../../../docs/live-view.md'), 'utf8');
const [, ofGuide = ''] = /```html\n([\s\S]*?)```/.exec(guide) ?? [];

/** `told` collects what the helper passes on, `heard` every message of any sender. */
export const embeddingPages = {
  '/embedder': `<!doctype html><title>embedder</title><div id="place" style="width:1280px;height:860px"></div>
<script type="module">${helper}
  globalThis.told = []; globalThis.heard = [];
  addEventListener('message', ({ data }) => heard.push(data));
  const on = (type) => (facts) => told.push({ type, ...facts });
  globalThis.embed = (url) => {
    globalThis.live = embedLiveView(place, url, {
      onReady: on('ready'), onHandoff: on('handoff'), onDisconnected: on('disconnected'), onClosed: on('closed') });
  };
  globalThis.isLoaded = true;
</script>`,
  '/guide': ofGuide.replace(/import .* from '@browserd\/sdk';/, () => helper),
  /** Shows what its address says after the `#`. */
  '/around': `<!doctype html><title>around</title><script>
  const frame = document.createElement('iframe'); frame.src = decodeURIComponent(location.hash.slice(1));
  document.documentElement.append(frame);
</script>`,
  /** Pretends to be the embedder before the viewer, and the viewer before the embedder. */
  '/forger': `<!doctype html><title>forger</title><script>
  onmessage = ({ data }) => {
    for (const type of ['handBack', '__proto__', 'constructor'])
      parent.frames[data].postMessage({ to: 'browserd', type }, '*');
    parent.postMessage({ from: 'browserd', type: 'closed', reason: 'expired', message: 'forged' }, '*');
  };
</script>`,
};

// biome-ignore lint/suspicious/noExplicitAny: whatever the viewer said
type Told = any;

export interface Embedder {
  page: Page;
  embed(url: string): Promise<void>;
  told(): Promise<Told[]>;
  /** The viewer in its frame. */
  viewer(): Frame;
}

export async function startWeb(): Promise<Browser> {
  const found = await findChromium({ chromiumPath: null, env: process.env, forAnotherUser: false });
  return chromium.launch({ executablePath: (found.shell ?? found.full)?.path });
}

/** No tool is put into the page that its content policy would forbid. */
export async function openEmbedder(web: Browser, origin: string): Promise<Embedder> {
  for (const old of web.contexts()) await old.close();
  const context = await web.newContext({ viewport: { width: 1280, height: 900 } });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  await page.goto(`${origin}/embedder`);
  await page.waitForFunction('globalThis.isLoaded === true');
  return {
    page,
    embed: (url) => page.evaluate(`embed(${JSON.stringify(url)})`),
    told: () => page.evaluate('told') as Promise<Told[]>,
    viewer() {
      const [frame] = page.mainFrame().childFrames();
      if (!frame) throw new Error('the page has no frame');
      return frame;
    },
  };
}
