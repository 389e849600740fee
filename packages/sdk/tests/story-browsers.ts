import { randomBytes } from 'node:crypto';
import { Browserd } from '@browserd/sdk';
import { expect } from 'vitest';
import { caught, type Stories } from './story-world.ts';

/** Browsers come, are found, and go. */
export const browserStories: Stories = {
  'is made once for one idempotency key, kept up to date, and gone after its block': async ({ client }) => {
    const idempotencyKey = `two calls ${randomBytes(4).toString('hex')}`;
    const create = () =>
      client.browsers.create({ name: 'once', metadata: { of: 'sdk' } }, { idempotencyKey });
    let id: string;
    {
      await using one = await create();
      id = one.id;
      expect((await create()).id).toBe(id);
      expect(one.record).toMatchObject({ status: 'ready', name: 'once' });
      expect((await one.update({ name: 'twice' })).name).toBe('twice');
      expect(one.record.name).toBe('twice');
      const listed = await client.browsers.list({ metadata: { of: 'sdk' }, status: ['ready'] }).all();
      expect((await client.browsers.count()).status.ready).toBeGreaterThanOrEqual(listed.length);
      expect(listed.map((each) => [each.id, each.record.name])).toEqual([[id, 'twice']]);
      expect(await one.stop()).toMatchObject({ status: 'stopped' });
      expect(await caught(one.whenReady())).toMatchObject({ nextStep: 'resume_browser' });
      expect(await one.resume()).toMatchObject({ status: 'ready', epoch: 2 });
      expect((await one.status()).tabs).toHaveLength(1);
    }
    expect((await client.browsers.get(id)).record.status).toBe('closed');
    expect(await client.browser(id).close()).toMatchObject({ id, status: 'closed', receipt: {} });
  },

  'has tabs, which are opened, sent somewhere and closed': async ({ client, site }) => {
    await using browser = await client.browsers.create({ policy: { privateAccess: { localhost: true } } });
    const { tabId, navigation } = await browser.tabs.open({ url: `${site.origin}/` });
    expect(navigation?.statusCode).toBe(200);
    expect(await browser.tabs.goto(tabId, 'about:blank')).toMatchObject({ url: 'about:blank' });
    expect(await browser.tabs.change(tabId, { go: 'back' })).toMatchObject({ url: `${site.origin}/` });
    expect(await browser.tabs.get(tabId)).toMatchObject({ active: true, canGoForward: true });
    const tabs = await browser.tabs.list().all();
    expect(tabs.map((tab) => tab.tabId)).toContain(tabId);
    expect(await browser.tabs.close(tabId)).toMatchObject({ tabId, tabsLeft: tabs.length - 1 });
    const late = await caught(browser.run('return 1', { ifEpoch: 7 }));
    expect(late).toMatchObject({ code: 'EPOCH_CHANGED', status: 412 });
  },

  'goes with others in one call': async ({ client }) => {
    const metadata = { goes: 'together' };
    const two = await Promise.all([
      client.browsers.create({ metadata }),
      client.browsers.create({ metadata }),
    ]);
    const { closed, failed } = await client.browsers.close({ metadata });
    expect(closed.map(({ id }) => id).toSorted()).toEqual(two.map(({ id }) => id).toSorted());
    expect(failed).toEqual([]);
  },

  'that answers at once is waited for': async ({ client }) => {
    await using soon = await client.browsers.create({}, { respondAsync: true, waitSeconds: 5 });
    expect(await soon.whenReady()).toMatchObject({ status: 'ready' });
    expect(soon.record.status).toBe('ready');
  },

  'that is not there, or not allowed, is a typed error with a next step': async ({ client }) => {
    const lost = await caught(client.browsers.get('browser_01jaaaaaaaaaaaaaaaaaaaaaaa'));
    expect(lost).toMatchObject({
      name: 'BrowserdError',
      code: 'BROWSER_NOT_FOUND',
      status: 404,
      category: 'not_found',
      nextStep: 'fix_request',
      requestId: expect.stringMatching(/^req_/),
    });
    const wrong = await caught(client.browsers.create({ viewport: { width: -1 } }));
    expect(wrong).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { issues: [{ path: 'viewport.width' }] },
    });
    const stranger = new Browserd({ baseUrl: client.baseUrl, apiKey: 'bd_stranger' });
    expect(await caught(stranger.keys.list().page())).toMatchObject({ code: 'UNAUTHENTICATED' });
  },
};
