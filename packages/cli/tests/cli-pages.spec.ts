import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../server/tests/support/server.ts';
import { type CliWorld, startCliWorld } from './cli-world.ts';

let world: CliWorld;
let { site, server, cli, createBrowser } = {} as CliWorld;
beforeAll(async () => {
  world = await startCliWorld();
  ({ site, server, cli, createBrowser } = world);
});
afterAll(() => world[Symbol.asyncDispose]());

describe('the pages of a browser', () => {
  let id: string;
  beforeAll(async () => {
    id = await createBrowser({ startUrl: `${site.origin}/`, dialogs: 'manual' });
  });
  afterAll(() => server.api.remove(id));

  test('are in tabs, which are opened, sent somewhere and closed', async () => {
    const opened = await cli.json('tabs', 'open', id, `${site.origin}/`);
    expect(opened).toMatchObject({ url: `${site.origin}/`, active: true, navigation: { statusCode: 200 } });
    const behind = await cli.json('tabs', 'open', id, '--behind');
    expect(behind.active).toBe(false);
    expect((await cli.json('tabs', 'go', id, behind.tabId, `${site.origin}/other`)).title).toBe('other');
    expect((await cli.run('tabs', 'go', id, behind.tabId, '--go', 'reload')).stdout).toMatch(/answer +200/);
    expect((await cli.json('tabs', 'select', id, behind.tabId)).active).toBe(true);
    expect((await cli.run('tabs', 'list', id)).stdout).toMatch(/^TAB +FRONT +URL .*\n/);
    const tabs = await cli.json('tabs', 'list', id);
    for (const { tabId } of [opened, behind])
      expect(await cli.json('tabs', 'close', id, tabId)).toMatchObject({ tabId, closed: true });
    expect(await cli.json('tabs', 'list', id)).toHaveLength(tabs.length - 2);
  });

  test('are drawn, printed and read', async () => {
    await cli.run('browsers', 'screenshot', id, '-o', 'shop.png');
    expect((await readFile(join(cli.folder, 'shop.png'))).subarray(1, 4).toString()).toBe('PNG');
    expect((await cli.json('browsers', 'pdf', id, '-o', 'shop.pdf')).path).toBe('shop.pdf');
    expect((await readFile(join(cli.folder, 'shop.pdf'))).subarray(0, 5).toString()).toBe('%PDF-');
    expect((await cli.run('browsers', 'scrape', id, '--whole-page')).stdout).toContain('Home');
    expect((await cli.run('observe', id)).stdout).toContain('heading "Home"');
    expect((await cli.run('observe', id, '--role', 'heading')).stdout).toMatch(/^heading "Home" /);
    expect(await cli.json('observe', id, '--diff')).toMatchObject({ changed: false });
    const cut = await cli.run('observe', id, '--kind', 'html', '--max-chars', '40');
    expect(cut.stderr).toMatch(/There is more: \d+ characters in all\. Go on with --start-from \d+\./);
    expect(await cli.json('captcha', 'show', id)).toEqual({ state: 'none', items: [] });
    expect((await cli.run('captcha', 'solve', id, '--timeout', '5s')).stderr).toContain(
      'No captchas (none).',
    );
  });

  test('are used by places in a picture', async () => {
    const picture = join(cli.folder, 'after.jpg');
    const content = '<button style="position:fixed;left:0;top:0;width:200px;height:90px">Go</button>';
    await cli.run('run', '-b', id, '--code', `await page.setContent(${JSON.stringify(content)})`);
    const used = await cli.run('computer', id, 'click 100 40', 'cursor', '-o', picture);
    expect(used.stdout).toMatch(/^ACTION +HIT +RESULT *\nclick +button “Go”.*\ncursor +- +100 40\n$/);
    expect((await readFile(picture)).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
    const failed = await cli.run('computer', id, 'move 1 1', 'click 99999 1');
    expect([failed.code, failed.stderr]).toEqual([
      1,
      expect.stringContaining('POINT_OUTSIDE_SCREEN: action 2:'),
    ]);
    expect(await cli.json('computer', id, '{"type": "cursor"}')).toMatchObject({ cursor: { x: 1, y: 1 } });
    expect((await cli.run('computer', id, 'clock 1 1')).code).toBe(2);
  });

  test('may what they are given, and no more once that is taken away', async () => {
    const set = ['permissions', 'set', id, 'geolocation=granted', 'camera=denied'];
    expect((await cli.json(...set, '--origin', site.origin)).origins).toEqual({
      [site.origin]: { geolocation: 'granted', camera: 'denied' },
    });
    expect((await cli.run('permissions', 'show', id)).stdout).toContain(`geolocation at ${site.origin}`);
    expect((await cli.json('permissions', 'clear', id)).origins).toEqual({});
    const wrong = await cli.run('permissions', 'set', id, 'camera=perhaps');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('granted, denied or prompt')]);
  });

  test('ask, and are answered', async () => {
    const ask = `setTimeout(() => { document.title = prompt('Name?') }, 0)`;
    await cli.run('run', '-b', id, '--code', `await page.evaluate(${JSON.stringify(ask)})`);
    const open = () => cli.json('dialogs', 'list', id, '--open');
    const [dialog] = await eventually(open, (found) => found.length > 0);
    expect(dialog).toMatchObject({ type: 'prompt', message: 'Name?' });
    expect((await cli.run('dialogs', 'accept', id, dialog.id, '--text', 'Ada')).stdout).toBe(
      `${dialog.id} is accepted\n`,
    );
    expect((await cli.json('run', '-b', id, '--code', 'return page.title()')).result).toBe('Ada');
    expect((await cli.run('dialogs', 'dismiss', id, dialog.id)).code).toBe(1);
  });

  test('are reached by a client of one’s own', async () => {
    const { stdout } = await cli.run('cdp', id, '--ttl', '1m');
    expect(stdout).toMatch(/^wss?:\/\/\S+\n$/);
    const { url } = await cli.json('cdp', id);
    expect(url).toMatch(/^wss?:/);
  });
});

test('a webhook is changed, and a delivery sent again', async () => {
  const hook = await cli.json('webhooks', 'create', `${site.origin}/`, '--event', 'browser.*');
  const changed = await cli.json('webhooks', 'update', hook.id, '--event', 'all', '--description', 'mine');
  expect(changed).toMatchObject({ id: hook.id, events: [], description: 'mine', status: 'enabled' });
  const sent = await cli.json('webhooks', 'test', hook.id);
  const over = async () => (await cli.json('webhooks', 'deliveries', hook.id)) as { state: string }[];
  await eventually(over, (found) => found.every(({ state }) => state !== 'pending'));
  expect(await cli.json('webhooks', 'redeliver', hook.id, sent.id)).toMatchObject({ id: expect.any(String) });
  const off = await cli.run('webhooks', 'update', hook.id, '--status', 'disabled');
  expect(off.stdout).toMatch(/status +disabled/);
  await cli.run('webhooks', 'delete', hook.id);
});
