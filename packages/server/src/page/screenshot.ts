import type { Artifacts } from '../artifacts/artifacts.ts';
import type { Running } from '../browsers/browsers.ts';
import type { ScreenshotRequest } from './schema.ts';

/** A picture of a tab as a file of its browser; taken by Chromium itself, so a script that hangs is no hindrance. */
const screenshotMs = 15_000;
const largestScreenshot = 64 * 1024 ** 2;

export async function storeScreenshot(
  artifacts: Artifacts,
  running: Running,
  tabId: string,
  asked: ScreenshotRequest,
): Promise<{ fileId: string }> {
  const { cdp } = running.live.chromium;
  const sessionId = running.live.tabs.sessionOf(tabId);
  const { format, quality, fullPage } = asked;
  const { data } = await cdp.send(
    'Page.captureScreenshot',
    {
      format,
      ...(format !== 'png' && { quality }),
      // Half the time of the smallest PNG, for a little more bytes.
      optimizeForSpeed: true,
      captureBeyondViewport: fullPage,
      ...(fullPage && { clip: await wholePage(running, sessionId) }),
    },
    { sessionId, timeoutMs: screenshotMs },
  );
  const made = await artifacts.add({
    projectId: running.projectId,
    browserId: running.id,
    kind: 'file',
    source: 'screenshot',
    name: `screenshot.${format === 'jpeg' ? 'jpg' : format}`,
    mimeType: `image/${format}`,
    body: Buffer.from(data, 'base64'),
    limitBytes: largestScreenshot,
  });
  return { fileId: made.id };
}

/** Chromium draws no surface larger than this. */
const longestSide = 16_384;

async function wholePage(running: Running, sessionId: string | undefined) {
  const { cssContentSize } = await running.live.chromium.cdp.send('Page.getLayoutMetrics', undefined, {
    sessionId,
  });
  const side = (length: number): number => Math.min(Math.ceil(length), longestSide);
  return { x: 0, y: 0, width: side(cssContentSize.width), height: side(cssContentSize.height), scale: 1 };
}
