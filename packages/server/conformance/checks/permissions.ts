/** What pages may do, as a client grants it, and the clipboard. */
import type { Checks } from '../check.ts';

const states = (...names: string[]): string =>
  `Promise.all([${names.map((name) => `navigator.permissions.query({ name: '${name}' }).then(({ state }) => state, (error) => error.name)`).join()}])`;

export const permissions: Checks = {
  'what a page may do at first': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(
      states(
        'geolocation',
        'notifications',
        'clipboard-read',
        'clipboard-write',
        'midi',
        'persistent-storage',
      ),
    );
  },
  'what a client grants, and takes back': async ({ page, context, site }) => {
    const asked = states('geolocation', 'notifications', 'clipboard-read');
    await context.grantPermissions(['geolocation', 'notifications', 'clipboard-read'], {
      origin: site.origin,
    });
    await page.goto(`${site.origin}/plain`);
    const granted = await page.evaluate(asked);
    await context.clearPermissions();
    return [granted, await page.evaluate(asked)];
  },
  'a grant for one site is not for another': async ({ page, context, site }) => {
    await context.grantPermissions(['geolocation'], { origin: site.otherOrigin });
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(states('geolocation'));
  },
  'a place that is not granted': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(
      "Promise.race([new Promise((resolve) => navigator.geolocation.getCurrentPosition(() => resolve('told'), ({ code }) => resolve(code))), new Promise((resolve) => setTimeout(resolve, 1000, 'asked'))])",
    );
  },
  'the clipboard by a page': async ({ page, context, site }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin });
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(
      "navigator.clipboard.writeText('copied').then(() => navigator.clipboard.readText())",
    );
  },
  'the clipboard by keys': async ({ page, site }) => {
    await page.goto(`${site.origin}/keys`);
    await page.fill('#field', 'copied by keys');
    await page.focus('#field');
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Control+C');
    await page.focus('#area');
    await page.keyboard.press('Control+V');
    return page.inputValue('#area');
  },
  notifications: async ({ page, context, site }) => {
    await page.goto(`${site.origin}/plain`);
    const before = await page.evaluate('Notification.permission');
    await context.grantPermissions(['notifications'], { origin: site.origin });
    return [before, await page.evaluate('Notification.permission')];
  },
};
