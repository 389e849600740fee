import { expect } from 'vitest';
import { caught, type Stories } from './story-world.ts';

const policy = { privateAccess: { localhost: true } };

/** A sign-in that is kept on its own. */
export const profileStories: Stories = {
  'a profile is imported, used by a browser and a quick action, saved, restored, exported and deleted':
    async ({ client, site }) => {
      const { hostname: domain } = new URL(site.origin);
      const cookies = [{ name: 'signed', value: 'in', domain, path: '/' }];
      const origins = [{ origin: site.origin, localStorage: [{ name: 'kept', value: 'before' }] }];
      const check = { url: `${site.origin}/form`, selector: '[name=name]' };
      const made = await client.profiles.create({ name: 'site', check, storageState: { cookies, origins } });
      expect(made).toMatchObject({ name: 'site', version: 1, cookieCount: 1, origins: 1 });
      expect((await client.profiles.list({ limit: 5 }).all()).map(({ id }) => id)).toEqual([made.id]);

      const browser = await client.browsers.create({ policy, profile: { name: 'site', save: 'close' } });
      expect(await caught(client.profiles.delete(made.id))).toMatchObject({
        code: 'PROFILE_IN_USE',
        details: { browserId: browser.id },
      });
      const seen = 'await page.goto(args); return page.evaluate(() => [document.cookie, localStorage.kept])';
      expect(await browser.execute(seen, `${site.origin}/`)).toEqual(['signed=in', 'before']);
      await browser.close();
      expect(await client.profiles.get(made.id)).toMatchObject({ version: 2 });

      expect(await client.profiles.check(made.id, { policy })).toMatchObject({ state: 'signed_in' });
      const { browserId, url } = await client.profiles.signIn(made.id, { policy }, { waitSeconds: 30 });
      expect(url).toContain(browserId);
      await client.browser(browserId).close();

      const numbers = (await client.profiles.versions(made.id).all()).map(({ version }) => version);
      expect(numbers).toEqual([3, 2, 1]);
      expect(await client.profiles.restore(made.id, 1)).toMatchObject({ version: 4 });
      const exported = await client.profiles.export(made.id);
      expect(exported.cookies).toMatchObject(cookies);
      expect(exported.origins).toEqual(origins);
      expect(await client.profiles.update(made.id, { name: null })).not.toHaveProperty('name');
      expect(await client.profiles.delete(made.id)).toEqual({ id: made.id, deleted: true });
    },
};
