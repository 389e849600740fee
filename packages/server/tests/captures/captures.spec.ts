import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capture, captureAt, type Image, readPng } from '../support/capture-client.ts';
import { download } from '../support/file-client.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

const [red, lime, blue, white] = [
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 255, 255],
  [255, 255, 255, 255],
];

const noted = `<script>
  const heard = [];
  for (const name of ['resize', 'scroll', 'focus', 'blur']) addEventListener(name, () => heard.push(name));
</script>`;

const pages: Record<string, string> = {
  // red at the top, white below, blue at the very bottom, and a lime box inside a box that scrolls
  '/tall': `<!doctype html><title>tall</title><body style="margin:0;height:3000px;position:relative">${noted}
    <div style="height:100px;background:#f00"></div>
    <div id=bottom style="position:absolute;bottom:0;height:100px;width:100%;background:#00f"></div>
    <div id=scrolls style="position:absolute;top:200px;left:50px;width:200px;height:100px;overflow:auto">
      <div style="height:1000px"></div><div id=deep style="height:50px;width:150px;background:#0f0"></div>
    </div>
    <div id=hidden style="display:none">hidden</div><div id=empty></div><button id=submit-order>Order</button>
    <div id=host></div><script>
      host.attachShadow({ mode: 'open' }).innerHTML = '<i class=inside style="display:block;position:absolute;top:400px;left:300px;width:30px;height:20px;background:#0f0"></i>';
    </script>`,
  '/long': `<!doctype html><title>long</title><body style="margin:0">${'<div style="height:1000px;background:#f00"></div><div style="height:1000px;background:#0f0"></div>'.repeat(10)}`,
  '/tallest':
    '<!doctype html><title>tallest</title><body style="margin:0;height:100000px;position:relative"><div style="position:absolute;bottom:0;height:100px;width:100%;background:#00f"></div>',
  '/longest':
    '<!doctype html><title>longest</title><body style="margin:0;height:16384px;position:relative"><div style="position:absolute;bottom:0;height:100px;width:100%;background:#00f"></div>',
  '/wide': '<!doctype html><title>wide</title><body style="margin:0"><div style="height:9000px"></div>',
  '/box':
    '<!doctype html><title>box</title><body style="margin:0"><div style="width:100px;height:100px;background:#f00"></div>',
  '/font': `<!doctype html><meta charset=utf-8><title>font</title><style>
    @font-face { font-family: held; src: url(/gate); font-display: block }
    body { margin: 0; font: 200px held; line-height: 1 }</style>████████`,
};

let server: TestServer;
let site: Site;
let id: string;
const policy = { privateAccess: { localhost: true } };

beforeAll(async () => {
  site = await startSite(pages);
  server = await startServer();
  id = (await server.api.create({ policy })).body.id;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

const shot = (body?: object, browser = id) => capture(server.api, browser, 'screenshot', body);
const picture = async (body?: object, browser = id): Promise<Image> => readPng(await shot(body, browser));
const run = async (code: string): Promise<unknown> => {
  const { body } = await server.api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } });
  expect(body.error).toBeUndefined();
  return body.result;
};
const goto = (path: string) => run(`await page.goto('${site.origin}${path}')`);
/** The same without a runner, in a browser that needs none. */
const visit = async (path: string, browser: string): Promise<void> => {
  const body = { url: site.origin + path, waitFor: 'load' };
  expect((await server.api.call('POST', `/v1/browsers/${browser}/scrape`, { body })).status).toBe(200);
};
const errorOf = async (body: object, browser = id) => {
  const answer = await shot(body, browser);
  return { status: answer.status, ...answer.body.error };
};

describe('a screenshot', () => {
  test('shows the viewport, as bytes to be saved, when nothing is said', async () => {
    await goto('/tall');
    const answer = await shot();
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(answer.bytes.length),
      'content-disposition': 'attachment; filename="screenshot.png"',
    });
    const image = readPng(answer);
    expect([image.width, image.height]).toEqual([1280, 720]);
    expect([image.at(640, 50), image.at(640, 150), image.at(640, 719)]).toEqual([red, white, white]);
  });

  test('shows the whole page, and leaves it as it was', async () => {
    await goto('/tall');
    await run("await page.evaluate('scrollTo(0, 300)'); await page.waitForFunction('heard.length = 1')");
    const image = await picture({ fullPage: true });
    expect([image.width, image.height]).toEqual([1280, 3000]);
    expect([image.at(640, 50), image.at(640, 1500), image.at(640, 2999)]).toEqual([red, white, blue]);
    const after =
      'return page.evaluate(\'[scrollY, innerWidth, innerHeight, new Set(heard).has("scroll")]\')';
    expect(await run(after)).toEqual([300, 1280, 720, true]);
    const view = await picture();
    expect([view.height, view.at(640, 0)]).toEqual([720, white]);
  });

  test('is drawn smaller where it would be longer than it may be', async () => {
    await goto('/tall');
    const view = await picture({ maxSide: 640 });
    expect([view.width, view.height, view.at(320, 25), view.at(320, 75)]).toEqual([640, 360, red, white]);
    const whole = await picture({ fullPage: true, maxSide: 300 });
    expect([whole.width, whole.height, whole.at(64, 298)]).toEqual([128, 300, blue]);
  });

  test('of what shows anyway goes unnoticed by the page', async () => {
    await goto('/tall');
    await run("await page.evaluate('heard.length = 0')");
    await picture();
    await picture({ clip: { x: 0, y: 0, width: 50, height: 50 } });
    await picture({ selector: 'body > div' });
    expect(await run("return page.evaluate('heard')")).toEqual([]);
  });

  test('shows one part of the page, wherever it is scrolled to', async () => {
    await goto('/tall');
    await run("await page.evaluate('scrollTo(0, 1000)')");
    const clip = { x: 610, y: 90, width: 40, height: 20 };
    const top = await picture({ clip });
    expect([top.width, top.height, top.at(0, 9), top.at(0, 10)]).toEqual([40, 20, red, white]);
    const end = await picture({ clip: { x: 1200, y: 2850, width: 500, height: 500 } });
    expect([end.width, end.height, end.at(0, 49), end.at(0, 50)]).toEqual([80, 150, white, blue]);
    expect(await errorOf({ clip: { ...clip, y: 3000 } })).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining('1280 × 3000'),
    });
    expect(await run("return page.evaluate('scrollY')")).toBe(1000);
  });

  test('shows one element: below the fold, in a box that scrolls, in a shadow root', async () => {
    await goto('/tall');
    const bottom = await picture({ selector: '#bottom' });
    expect([bottom.width, bottom.height, bottom.at(0, 0)]).toEqual([1280, 100, blue]);
    const deep = await picture({ selector: '#deep' });
    expect([deep.width, deep.height]).toEqual([150, 50]);
    expect([deep.at(0, 0), deep.at(149, 49)]).toEqual([lime, lime]);
    expect(await run("return page.evaluate('[scrolls.scrollTop, scrollY]')")).toEqual([0, 0]);
    const inside = await picture({ selector: '.inside' });
    expect([inside.width, inside.height, inside.at(29, 19)]).toEqual([30, 20, lime]);
  });

  test('of an element that is not there, not to be seen, or not a selector says so', async () => {
    await goto('/tall');
    expect(await errorOf({ selector: '#submit-ordr' })).toMatchObject({
      status: 422,
      code: 'SELECTOR_NOT_FOUND',
      details: { candidates: expect.arrayContaining(['#submit-order']) },
    });
    for (const selector of ['#hidden', '#empty'])
      expect(await errorOf({ selector })).toMatchObject({ status: 422, code: 'ELEMENT_NOT_ACTIONABLE' });
    expect(await errorOf({ selector: 'div[' })).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
  });

  test('is transparent where the page paints nothing, if asked', async () => {
    await goto('/box');
    const clear = await picture({ omitBackground: true });
    expect([clear.at(50, 50), clear.at(500, 500)]).toEqual([red, [0, 0, 0, 0]]);
    expect((await picture()).at(500, 500)).toEqual(white);
  });

  test('comes as jpeg and webp, smaller with less quality', async () => {
    await goto('/tall');
    const [good, poor] = [
      await shot({ format: 'jpeg', quality: 100 }),
      await shot({ format: 'jpeg', quality: 1 }),
    ];
    expect([good.headers.get('content-type'), good.bytes.readUInt16BE(0)]).toEqual(['image/jpeg', 0xffd8]);
    expect(poor.bytes.length).toBeLessThan(good.bytes.length);
    const webp = await shot({ format: 'webp' });
    expect([webp.headers.get('content-type'), webp.bytes.toString('latin1', 8, 12)]).toEqual([
      'image/webp',
      'WEBP',
    ]);
  });

  test('waits for web fonts that are on their way', async () => {
    await run(`await page.goto('${site.origin}/font', { waitUntil: 'commit' })`);
    await eventually(
      async () => site.requests,
      (requests) => requests.some(({ url }) => url === '/gate'),
    );
    const taken = picture();
    await server.api.status(id);
    site.openGate();
    expect((await taken).at(20, 100)).toEqual([0, 0, 0, 255]);
  });

  test('shows any tab, also one in the background', async () => {
    await goto('/box');
    const { body: before } = await server.api.status(id);
    const tab = before.activeTab.tabId;
    await run(`await (await context.newPage()).goto('${site.origin}/tall')`);
    expect((await picture({ tabId: tab })).at(500, 50)).toEqual(white);
    const { body: after } = await server.api.status(id);
    expect(after.activeTab.tabId).not.toBe(tab);
    expect((await picture()).at(500, 50)).toEqual(red);
    expect(await errorOf({ tabId: 'NONE' })).toMatchObject({ status: 404, code: 'TAB_NOT_FOUND' });
    await run('await page.close()');
  });

  test('is an action of the browser, unless it only looks', async () => {
    const lastActionAt = async () => (await server.api.get(id)).body.lastActionAt;
    const before = await lastActionAt();
    expect((await shot({ passive: true })).status).toBe(200);
    expect(await lastActionAt()).toBe(before);
    await shot();
    expect(Date.parse(await lastActionAt())).toBeGreaterThan(Date.parse(before));
  });

  test('is kept as a file of the browser, if asked', async () => {
    await goto('/box');
    const { status, body, headers } = await shot({ store: true, format: 'jpeg' });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { name: 'screenshot.jpg', mimeType: 'image/jpeg', source: 'screenshot' },
    });
    expect(headers.get('location')).toBe(`/v1/browsers/${id}/files/${body.id}`);
    const content = await (await download(server.api, id, body.id)).arrayBuffer();
    expect([content.byteLength, Buffer.from(content).readUInt16BE(0)]).toEqual([body.size, 0xffd8]);
  });

  test('is refused with the reason when its options contradict each other', async () => {
    const wrong = [
      [{ quality: 50 }, 'quality'],
      [{ format: 'jpeg', omitBackground: true }, 'omitBackground'],
      [{ fullPage: true, selector: 'a' }, 'selector'],
      [{ selector: 'a', clip: { x: 0, y: 0, width: 1, height: 1 } }, 'clip'],
      [{ clip: { x: 0, y: 0, width: 0, height: 1 } }, 'clip.width'],
      [{ fullpage: true }, 'fullpage'],
    ] as const;
    for (const [body, path] of wrong) {
      const { status, code, details } = await errorOf(body);
      expect([status, code, details.issues[0].path]).toEqual([400, 'VALIDATION_FAILED', path]);
    }
  });
});

describe('device pixels', () => {
  test('double each side of a picture at a scale of 2, and count for its limit', async () => {
    const viewport = { width: 400, height: 300, deviceScaleFactor: 2 };
    const { body: fine } = await server.api.create({ policy, viewport });
    await visit('/box', fine.id);
    const image = await picture({}, fine.id);
    expect([image.width, image.height, image.at(199, 199), image.at(200, 200)]).toEqual([
      800,
      600,
      red,
      white,
    ]);
    const box = await picture({ selector: 'div' }, fine.id);
    expect([box.width, box.height]).toEqual([200, 200]);
    await visit('/wide', fine.id);
    expect(await errorOf({ fullPage: true, format: 'jpeg' }, fine.id)).toMatchObject({
      status: 422,
      code: 'CAPTURE_TOO_LARGE',
      message: expect.stringMatching(/400 × 9000 CSS pixels.*800 × 18000.*16384.*deviceScaleFactor/),
      details: { width: 400, height: 9000, deviceScaleFactor: 2 },
    });
    await server.api.remove(fine.id);
  });

  test('of a page that is too long to be drawn at once are put together, as PNG', async () => {
    // narrow, so that the longest picture is not also a large one
    const viewport = { width: 200, height: 100 };
    const { body: narrow } = await server.api.create({ policy, viewport });
    await visit('/long', narrow.id);
    for (const body of [{ format: 'jpeg' }, { maxSide: 1000 }])
      expect(await errorOf({ fullPage: true, ...body }, narrow.id)).toMatchObject({
        status: 422,
        code: 'CAPTURE_TOO_LARGE',
      });
    const whole = await picture({ fullPage: true }, narrow.id);
    expect([whole.width, whole.height]).toEqual([200, 20_000]);
    const wrong = Array.from({ length: 20_000 }, (_, y) => y).filter(
      (y) => whole.at(100, y).join() !== (Math.floor(y / 1000) % 2 ? lime : red)?.join(),
    );
    expect(wrong).toEqual([]);
    const part = await picture({ clip: { x: 0, y: 19_900, width: 10, height: 200 } }, narrow.id);
    expect([part.width, part.height]).toEqual([10, 100]);
    await visit('/longest', narrow.id);
    const longest = await picture({ fullPage: true }, narrow.id);
    expect([longest.height, longest.at(0, 16_383)]).toEqual([16_384, blue]);
    await visit('/tallest', narrow.id);
    const tallest = await picture({ fullPage: true, omitBackground: true }, narrow.id);
    expect([tallest.height, tallest.at(0, 99_899), tallest.at(0, 99_999)]).toEqual([
      100_000,
      [0, 0, 0, 0],
      blue,
    ]);
    await server.api.remove(narrow.id);
  });

  test('of a page that is too long for a phone with a screen of fractions are whole, also in a quick action', async () => {
    const stripes = (colour: string): string => `<div style="height:7px;background:${colour}"></div>`;
    const html = `<!doctype html><body style="margin:0">${`${stripes('#f00')}${stripes('#0f0')}`.repeat(500)}<div style="height:1px;background:#00f">`;
    const whole = readPng(
      await captureAt(server.api, '/v1/screenshot', {
        html,
        fullPage: true,
        viewport: { width: 100, height: 100, deviceScaleFactor: 2.625 },
      }),
    );
    expect(whole.height).toBe(Math.round(7001 * 2.625));
    const middleOf = (n: number): number => Math.floor((n * 7 + 3.5) * 2.625);
    const wrong = Array.from({ length: 1000 }, (_, n) => n).filter(
      (n) => whole.at(50, middleOf(n)).join() !== (n % 2 ? lime : red)?.join(),
    );
    expect(wrong).toEqual([]);
    // the last row shows a part of a pixel only
    expect(whole.at(50, whole.height - 2)).toEqual(blue);
  });
});
