/** What a client makes pages believe, and what they believe without that. */
import { devices } from 'playwright-core';
import { type Checks, echoed } from '../check.ts';

const matches = (...queries: string[]): string =>
  `[${queries.map((query) => `matchMedia('(${query})').matches`).join()}]`;

export const emulation: Checks = {
  'what a page knows of its browser': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(
      '[navigator.userAgent, navigator.platform, navigator.languages.join(), navigator.webdriver, navigator.cookieEnabled, navigator.pdfViewerEnabled, navigator.maxTouchPoints, navigator.plugins.length]',
    );
  },
  'what a page knows of its brand': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    return page.evaluate('navigator.userAgentData?.toJSON() ?? null');
  },
  'what a page knows of its place in time': async ({ page }) =>
    page.evaluate(
      '[Intl.DateTimeFormat().resolvedOptions().timeZone, Intl.NumberFormat().resolvedOptions().locale, new Date(0).getTimezoneOffset()]',
    ),
  'what a page knows of the network': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    return page.evaluate('navigator.onLine');
  },
  'colours, motion and contrast': async ({ page }) => {
    const query = matches(
      'prefers-color-scheme: dark',
      'prefers-reduced-motion: reduce',
      'forced-colors: active',
      'prefers-contrast: more',
    );
    const before = await page.evaluate(query);
    await page.emulateMedia({
      colorScheme: 'dark',
      reducedMotion: 'reduce',
      forcedColors: 'active',
      contrast: 'more',
    });
    const during = await page.evaluate(query);
    await page.emulateMedia({ colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null });
    return [before, during, await page.evaluate(query)];
  },
  'a page as it is printed': async ({ page }) => {
    await page.emulateMedia({ media: 'print' });
    return page.evaluate("[matchMedia('print').matches, matchMedia('screen').matches]");
  },
  'the size of a page': async ({ page, site }) => {
    await page.setViewportSize({ width: 700, height: 500 });
    await page.goto(`${site.origin}/plain`);
    return [
      page.viewportSize(),
      await page.evaluate('[innerWidth, innerHeight, screen.width, screen.height, devicePixelRatio]'),
    ];
  },
  'a user agent': async ({ page, site, session }) => {
    await (await session()).send('Emulation.setUserAgentOverride', {
      userAgent: 'Own/1.0',
      acceptLanguage: 'fr-FR',
      platform: 'Own',
    });
    const response = await page.goto(`${site.origin}/echo`);
    const headers = await echoed(response);
    return [
      headers['user-agent'],
      headers['accept-language'],
      await page.evaluate('[navigator.userAgent, navigator.language, navigator.platform]'),
    ];
  },
  'a language and a time zone': async ({ page, session }) => {
    const cdp = await session();
    await cdp.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' });
    await cdp.send('Emulation.setLocaleOverride', { locale: 'de-DE' });
    return page.evaluate('[Intl.DateTimeFormat().resolvedOptions().timeZone, (1234.5).toLocaleString()]');
  },
  'a place': async ({ page, context, site }) => {
    await context.grantPermissions(['geolocation'], { origin: site.origin });
    await context.setGeolocation({ latitude: 52.5, longitude: 13.4, accuracy: 5 });
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(
      'new Promise((resolve) => navigator.geolocation.getCurrentPosition(({ coords }) => resolve([coords.latitude, coords.longitude, coords.accuracy]), (error) => resolve(error.message)))',
    );
  },
  'without the network': async ({ page, context, site }) => {
    await page.goto(`${site.origin}/plain`);
    await page.evaluate(
      "window.heard = []; for (const type of ['online', 'offline']) addEventListener(type, () => heard.push(type))",
    );
    const look =
      "Promise.all([navigator.onLine, fetch('/chunked').then(() => 'fetched', (error) => error.message)])";
    await context.setOffline(true);
    const off = await page.evaluate(look);
    const goes = await page.goto(`${site.origin}/other`).then(
      () => 'went',
      () => 'failed',
    );
    await context.setOffline(false);
    await page.goto(`${site.origin}/plain`);
    return [off, goes, await page.evaluate(look)];
  },
  'the events of a network that goes and comes': async ({ page, context, site }) => {
    await page.goto(`${site.origin}/plain`);
    await page.evaluate(
      "window.heard = []; for (const type of ['online', 'offline']) addEventListener(type, () => heard.push([type, navigator.onLine]))",
    );
    await context.setOffline(true);
    await page.waitForFunction('heard.length === 1', undefined, { timeout: 3000 });
    await context.setOffline(false);
    await page.waitForFunction('heard.length === 2', undefined, { timeout: 3000 });
    return page.evaluate('heard');
  },
  'more pixels, more touch, more cores': async ({ page, site, session }) => {
    const cdp = await session();
    await cdp.send('Emulation.setDeviceMetricsOverride', {
      width: 400,
      height: 300,
      deviceScaleFactor: 3,
      mobile: true,
    });
    await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 4 });
    await cdp.send('Emulation.setHardwareConcurrencyOverride', { hardwareConcurrency: 3 });
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(
      "[screen.width, devicePixelRatio, navigator.maxTouchPoints, navigator.hardwareConcurrency, 'ontouchstart' in window]",
    );
  },
  'a telephone': async ({ browser, site }) => {
    const context = await browser.newContext({
      ...devices['Pixel 7'],
      locale: 'fr-FR',
      timezoneId: 'Europe/Paris',
    });
    const page = await context.newPage();
    await page.goto(`${site.origin}/plain`);
    const seen = await page.evaluate(
      "[innerWidth, screen.width, devicePixelRatio, navigator.userAgent, navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, matchMedia('(pointer: coarse)').matches]",
    );
    await context.close();
    return seen;
  },
  'pages without scripts': async ({ browser, site }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${site.origin}/init`);
    const title = await page.title();
    await context.close();
    return title;
  },
  'what a worker believes': async ({ browser, site }) => {
    const context = await browser.newContext({
      userAgent: 'Own/2.0',
      locale: 'it-IT',
      timezoneId: 'Asia/Tokyo',
    });
    const page = await context.newPage();
    const [worker] = await Promise.all([page.waitForEvent('worker'), page.goto(`${site.origin}/worker`)]);
    const seen = await worker.evaluate(
      '[navigator.userAgent, navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone]',
    );
    await context.close();
    return seen;
  },
  'what is drawn without a card': async ({ page }) =>
    page.evaluate("Boolean(document.createElement('canvas').getContext('webgl2'))"),
  'sounds and films that can be played': async ({ page }) =>
    page.evaluate(
      "['video/webm; codecs=\"vp9\"', 'video/mp4; codecs=\"avc1.42E01E\"', 'audio/mpeg', 'audio/ogg'].map((type) => document.createElement('video').canPlayType(type))",
    ),
};
