import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Captured, capture, captureAt, type Image, readPng } from '../support/capture-client.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

const [red, lime, blue, white] = [
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 255, 255],
  [255, 255, 255, 255],
];
const box = (id: string, colour: string, more = ''): string =>
  `<div id=${id} style="height:100px;background:${colour}" ${more}></div>`;

/** A page with so little text that scripts are to bring the rest is waited for longer. */
const text = `<p style="position:absolute;top:500px;font-size:1px">${'words '.repeat(50)}</p>`;

const pages: Record<string, string> = {
  '/boxes': `<!doctype html><title>boxes</title><meta http-equiv=content-security-policy content="style-src 'unsafe-inline'">
    <style>body { margin: 0 } @media print { #first { background: #00f !important } } @media (prefers-color-scheme: dark) { #second { background: #00f !important } }</style>
    ${text}${box('first', '#f00')}${box('second', '#0f0')}${box('third', '#00f')}
    <div id=host></div><script>
      host.attachShadow({ mode: 'open' }).innerHTML = '<div class=within style="height:100px;background:#f00"></div>';
    </script>`,
  '/no-scripts': `<!doctype html><title>no scripts</title><body style="margin:0">${box('first', '#f00')}`,
  // each part comes from the server when it is reached, and the last of them lengthens the page once more
  '/lazy': `<!doctype html><title>lazy</title><body style="margin:0"><script>
    const add = (n) => {
      const part = document.body.appendChild(document.createElement('div'));
      part.style.height = '1000px';
      new IntersectionObserver(async ([{ isIntersecting }], watcher) => {
        if (!isIntersecting) return;
        watcher.disconnect();
        part.style.background = await (await fetch('/colour')).text();
        if (n === 3) add(4);
      }).observe(part);
    };
    for (const n of [1, 2, 3]) add(n);
  </script>`,
  '/colour': '#0f0',
  '/banner': `<!doctype html><title>banner</title><body style="margin:0">${text}
    <div id=banner style="position:fixed;inset:0;background:#f00"><button id=close style="margin:300px">close</button></div>
    <div style="height:100px;background:#0f0"></div>
    <script>let trusted; document.querySelector('#close').onclick = (event) => {
      trusted = event.isTrusted;
      fetch('/colour').then(() => banner.remove());
    };</script>`,
  '/to-boxes': `<!doctype html><title>door</title>${text}<a id=on href="/boxes">on</a>`,
  '/late': `<!doctype html><title>late</title><body style="margin:0"><div id=d style="height:100px"></div>
    <script>window.state = {}; fetch('/colour').then((a) => a.text()).then((c) => { d.style.background = c; state.done = true; });</script>`,
  '/later': `<!doctype html><title>later</title><body style="margin:0">${text}<script>window.state = {};
    setTimeout(() => { document.body.innerHTML = '<div id=late style="height:100px;background:#0f0"></div>'; state.done = true; }, 500)</script>`,
  '/held': `<!doctype html><title>held</title><body style="margin:0">${box('first', '#0f0')}<img src="/gate">`,
  '/to-nowhere': `<!doctype html><title>to nowhere</title>${text}<a id=on href="http://10.0.0.1/">on</a>`,
  '/broken': '<!doctype html><title>broken</title><img src="/no-such-picture.png"><p>text</p>',
  '/throws':
    '<!doctype html><title>throws</title><script>console.log("fine"); throw new Error("on purpose")</script>',
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

/** The same of a quick action and of a tab. */
const ways = [
  ['a quick action', (kind: 'screenshot' | 'pdf', path: string, body: object) => quick(kind, path, body)],
  ['a tab', (kind: 'screenshot' | 'pdf', path: string, body: object) => onTab(kind, path, body)],
] as const;

const quick = (kind: 'screenshot' | 'pdf', path: string, body: object): Promise<Captured> =>
  captureAt(server.api, `/v1/${kind}`, { url: site.origin + path, policy, waitFor: 'load', ...body });

async function onTab(kind: 'screenshot' | 'pdf', path: string, body: object): Promise<Captured> {
  const visit = { url: site.origin + path, waitFor: 'load' };
  expect((await server.api.call('POST', `/v1/browsers/${id}/scrape`, { body: visit })).status).toBe(200);
  return capture(server.api, id, kind, body);
}

const picture = async (answer: Promise<Captured>): Promise<Image> => readPng(await answer);
const down = (image: Image, ...places: number[]): number[][] => places.map((y) => image.at(640, y));

describe.each(ways)('%s', (_, take) => {
  test('shows the page without what is hidden, and without what is removed', async () => {
    const hidden = await picture(take('screenshot', '/boxes', { hide: ['#first', '.within'] }));
    expect(down(hidden, 50, 150, 250, 350)).toEqual([white, lime, blue, white]);
    const removed = await picture(take('screenshot', '/boxes', { remove: ['#first'] }));
    expect(down(removed, 50, 150, 250)).toEqual([lime, blue, red]);
  });

  test('has rules of the caller, whatever the page allows', async () => {
    const addStyle = ['#first { background: #0f0 !important }', '.within { background: #00f !important }'];
    const image = await picture(take('screenshot', '/boxes', { addStyle }));
    expect(down(image, 50, 350)).toEqual([lime, blue]);
  });

  test('is drawn as it would be printed, or printed as it is drawn', async () => {
    expect(down(await picture(take('screenshot', '/boxes', { media: 'print' })), 50)).toEqual([blue]);
    expect(down(await picture(take('screenshot', '/boxes', {})), 50)).toEqual([red]);
    const words = '@media screen { #first::after { content: "on a screen" } }';
    const { bytes, body } = await take('pdf', '/boxes', { media: 'screen', addStyle: words });
    expect(body).toBeUndefined();
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)));
    expect(text.join()).toContain('on a screen');
  });

  test('runs code of the caller in the page', async () => {
    const addScript = [{ content: "await null; document.querySelector('#first').style.background = '#00f'" }];
    expect(down(await picture(take('screenshot', '/boxes', { addScript })), 50)).toEqual([blue]);
    const { status, body } = await take('screenshot', '/boxes', {
      addScript: [{ content: 'throw Error("no")' }],
    });
    expect([status, body.error.code, body.error.message]).toEqual([
      422,
      'SCRIPT_FAILED',
      expect.stringContaining('addScript[0]'),
    ]);
  });

  test('that goes where nothing can be loaded is told, with the reason', async () => {
    const { status, body } = await take('screenshot', '/to-nowhere', { click: ['#on'] });
    expect([status, body.error.code, body.error.details.url]).toEqual([
      422,
      'NAVIGATION_FAILED',
      'http://10.0.0.1/',
    ]);
  });

  test('is clicked first, with all that comes of it, also another page', async () => {
    const banner = await picture(take('screenshot', '/banner', { click: ['#close'] }));
    expect(down(banner, 50)).toEqual([lime]);
    const on = [{ click: ['#on'] }, { addScript: [{ content: "location.href = '/boxes'" }] }];
    for (const way of on) {
      const next = await picture(take('screenshot', '/to-boxes', { ...way, hide: ['#first'] }));
      expect(down(next, 50, 150)).toEqual([white, lime]);
    }
  });

  test('says which click could not be made', async () => {
    const refused = async (click: unknown[]) => {
      const { status, body } = await take('screenshot', '/banner', { click });
      return [status, body?.error?.code];
    };
    expect(await refused(['#close', '#none'])).toEqual([422, 'SELECTOR_NOT_FOUND']);
    expect(await refused(['#close', { selector: '#none', optional: true }])).toEqual([200, undefined]);
    expect(await refused(['script'])).toEqual([422, 'ELEMENT_NOT_ACTIONABLE']);
    expect(await refused(['###'])).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('has what comes only when it is reached', async () => {
    const image = await picture(take('screenshot', '/lazy', { scroll: true, fullPage: true }));
    expect(image.height).toBe(4000);
    expect(down(image, 10, 1500, 2990, 3990)).toEqual([lime, lime, lime, lime]);
    const some = await picture(take('screenshot', '/lazy', { scroll: { maxScreens: 1 }, fullPage: true }));
    expect(some.height).toBe(3000);
  });

  test('is refused where the page is not one to be captured', async () => {
    const refused = async (path: string, failOn: object) => {
      const { status, body } = await take('screenshot', path, { failOn });
      return [status, body?.error?.code, body?.error?.details.reasons?.[0].kind];
    };
    const no = (kind: string) => [422, 'PAGE_NOT_WANTED', kind];
    expect(await refused('/missing', { status: ['4xx'] })).toEqual(no('status'));
    expect(await refused('/missing', { status: [500] })).toEqual([200, undefined, undefined]);
    expect(await refused('/banner', { selector: '#banner' })).toEqual(no('selector'));
    expect(await refused('/boxes', { selector: '#banner', status: ['4xx'] })).toEqual([
      200,
      undefined,
      undefined,
    ]);
    expect(await refused('/boxes', { selector: ':::' })).toEqual([400, 'VALIDATION_FAILED', undefined]);
  });

  test('gives pictures of several elements in one answer, all or none', async () => {
    const { status, body } = await take('screenshot', '/boxes', {
      selectors: ['#second', '.within', '#first'],
      remove: ['#first'],
    });
    expect([status, body.error?.code, body.error?.details.selector]).toEqual([
      422,
      'ELEMENT_NOT_ACTIONABLE',
      '#first',
    ]);
    const { body: made } = await take('screenshot', '/boxes', {
      selectors: ['#second', '.within'],
      hide: ['#first'],
    });
    const seen = made.pictures.map(({ selector, content }: { selector: string; content: string }) => {
      const image = readPng({ status: 200, bytes: Buffer.from(content, 'base64'), body: undefined });
      return [selector, image.width, image.height, image.at(5, 5)];
    });
    expect(seen).toEqual([
      ['#second', 1280, 100, lime],
      ['.within', 1280, 100, red],
    ]);
    const both = await take('screenshot', '/boxes', { selectors: ['#second'], fullPage: true });
    expect([both.status, both.body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('that cannot be made ready in time says so', async () => {
    const never = { addScript: [{ content: 'await new Promise(() => {})' }], timeoutMs: 2000 };
    const { status, body } = await take('screenshot', '/boxes', never);
    expect([status, body.error.code]).toEqual([504, 'QUICK_ACTION_TIMEOUT']);
  });
});

test('a tab is as it was after it was captured', async () => {
  await onTab('screenshot', '/boxes', {
    hide: ['#first'],
    media: 'print',
    scroll: true,
    addStyle: '#second { display: none }',
  });
  const after = await picture(capture(server.api, id, 'screenshot'));
  expect(down(after, 50, 150, 350)).toEqual([red, lime, red]);
});

test('a tab is drawn finer, or in the dark, for one picture', async () => {
  const fine = await picture(onTab('screenshot', '/boxes', { deviceScaleFactor: 2, colorScheme: 'dark' }));
  expect([fine.width, fine.height, ...down(fine, 199, 200, 399)]).toEqual([2560, 1440, red, blue, blue]);
  const after = await picture(capture(server.api, id, 'screenshot'));
  expect([after.width, ...down(after, 150)]).toEqual([1280, lime]);
});

test('the click of a capture is one that a page trusts', async () => {
  await onTab('screenshot', '/banner', { click: ['#close'] });
  const { body } = await server.api.call('POST', `/v1/browsers/${id}/script/execute`, {
    body: { code: "return page.evaluate('trusted')" },
  });
  expect(body.result).toBe(true);
});

test('pictures of several elements of a tab are kept as files, if asked', async () => {
  const { status, body } = await onTab('screenshot', '/boxes', {
    selectors: ['#first', '#second'],
    store: true,
  });
  expect(status).toBe(201);
  expect(body.pictures).toMatchObject([
    { selector: '#first', mimeType: 'image/png', file: { name: 'screenshot.png', source: 'screenshot' } },
    { selector: '#second', file: { mimeType: 'image/png' } },
  ]);
  expect(body.pictures[0]).not.toHaveProperty('content');
});

test('a tab waits until something matches, or an expression of its page is true, and says when that does not come', async () => {
  const visit = (path: string) =>
    server.api.call('POST', `/v1/browsers/${id}/scrape`, {
      body: { url: site.origin + path, waitFor: 'domcontentloaded' },
    });
  await visit('/later');
  expect(down(await picture(capture(server.api, id, 'screenshot', { waitFor: '#late' })), 50)).toEqual([
    lime,
  ]);
  await visit('/later');
  const image = await picture(
    capture(server.api, id, 'screenshot', { waitFor: { expression: 'state.done' } }),
  );
  expect(down(image, 50)).toEqual([lime]);
  expect((await capture(server.api, id, 'pdf', { waitFor: 'networkidle' })).status).toBe(200);
  await visit('/held');
  let isTaken = false;
  const held = capture(server.api, id, 'screenshot', { waitFor: 'load' }).then((answer) => {
    isTaken = true;
    return answer;
  });
  // Another capture has its turn meanwhile, and nothing else comes that the first could have waited for.
  expect([(await capture(server.api, id, 'pdf', {})).status, isTaken]).toEqual([200, false]);
  site.openGate();
  expect((await held).status).toBe(200);
  const [bad, late] = [
    await capture(server.api, id, 'screenshot', { waitFor: 'div[' }),
    await capture(server.api, id, 'screenshot', { waitFor: '#never', timeoutMs: 1000 }),
  ];
  expect([bad.status, bad.body.error.details.issues[0].path]).toEqual([400, 'waitFor']);
  expect([late.status, late.body.error.code]).toEqual([504, 'QUICK_ACTION_TIMEOUT']);
});

describe('a quick action alone', () => {
  test('runs code ahead of the page’s own, also in HTML that is sent along', async () => {
    const addScript = [{ content: "window.colour = '#00f'", when: 'before' }];
    const html =
      '<body style="margin:0"><div id=d style="height:100px"></div><script>d.style.background = colour</script>';
    const sent = captureAt(server.api, '/v1/screenshot', { html, addScript });
    expect(down(await picture(sent), 50)).toEqual([blue]);
    const visited = quick('screenshot', '/late', {
      addScript: [{ content: "window.fetch = async () => ({ text: async () => '#f00' })", when: 'before' }],
    });
    expect(down(await picture(visited), 50)).toEqual([red]);
    const colour = "document.querySelector('#first').style.background = '#00f'";
    const still = quick('screenshot', '/no-scripts', {
      addScript: [{ content: `addEventListener('DOMContentLoaded', () => { ${colour} })`, when: 'before' }],
    });
    expect(down(await picture(still), 50)).toEqual([blue]);
  });

  test('shows what there is when the time is up before the page is ready, if asked', async () => {
    const never = { addScript: [{ content: 'await new Promise(() => {})' }], timeoutMs: 2000, partial: true };
    const answer = await quick('screenshot', '/boxes', { ...never, remove: ['#first'] });
    expect(answer.headers.get('x-timed-out')).toBe('true');
    expect(down(readPng(answer), 50)).toEqual([lime]);
  });

  test('waits until an expression of the page is true', async () => {
    const image = await picture(quick('screenshot', '/late', { waitFor: { expression: 'state.done' } }));
    expect(down(image, 50)).toEqual([lime]);
    const bad = await quick('screenshot', '/late', { waitFor: { expression: 'state.' } });
    expect([bad.status, bad.body.error.details.issues[0].path]).toEqual([400, 'waitFor.expression']);
    const late = await quick('screenshot', '/late', {
      waitFor: { expression: 'nothing.here' },
      timeoutMs: 1500,
    });
    expect([late.status, late.body.error.code]).toEqual([504, 'QUICK_ACTION_TIMEOUT']);
  });

  test('is refused where a part of the page failed, or the page threw', async () => {
    const reasons = async (path: string, failOn: object) =>
      (await quick('screenshot', path, { failOn })).body?.error?.details.reasons;
    expect(await reasons('/broken', { resources: true })).toEqual([
      { kind: 'resource', text: 'answered with 404', url: `${site.origin}/no-such-picture.png` },
    ]);
    expect(await reasons('/broken', { console: true })).toBeUndefined();
    expect(await reasons('/throws', { console: true })).toEqual([
      { kind: 'console', text: expect.stringContaining('on purpose'), url: `${site.origin}/throws` },
    ]);
    expect(await reasons('/throws', { resources: true })).toBeUndefined();
  });

  test('shows HTML with the files that were sent beside it, and asks no network for them', async () => {
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><path d="M0 0h100v100H0z" fill="#00f"/></svg>';
    const html = `<link rel=stylesheet href="style/my%20page.css"><div id=box></div><img src="image.svg" style="display:block">
      <div style="height:3000px"></div><img loading=lazy src="./image.svg" style="display:block"><script src="run.js"></script>`;
    const assets = [
      {
        name: 'style/my page.css',
        content: base64('body { margin: 0 } #box { height: 100px; background: #0f0 }'),
      },
      { name: 'image.svg', content: base64(svg) },
      { name: 'run.js', content: base64("document.title = 'ran'") },
    ];
    const image = await picture(
      captureAt(server.api, '/v1/screenshot', { html, assets, fullPage: true, scroll: true }),
    );
    expect([image.at(640, 50), image.at(50, 150), image.at(50, 3250)]).toEqual([lime, blue, blue]);
    const scraped = await server.api.call('POST', '/v1/scrape', { body: { html, assets, waitFor: 'load' } });
    expect(scraped.body).toMatchObject({ title: 'ran', statusCode: null });
    const missing = await captureAt(server.api, '/v1/screenshot', {
      html,
      assets: assets.slice(0, 1),
      failOn: { resources: true },
    });
    expect([missing.status, missing.body.error.code]).toEqual([422, 'PAGE_NOT_WANTED']);
    const outside = await captureAt(server.api, '/v1/screenshot', {
      html,
      assets: [{ name: '../x', content: '' }],
    });
    expect(outside.body.error.details.issues[0].path).toBe('assets[0].name');
  });

  test('takes a page of several megabytes', async () => {
    const html = `<body style="margin:0"><div style="height:100px;background:#0f0"></div><!-- ${'x'.repeat(5_000_000)} -->`;
    expect(
      down(await picture(captureAt(server.api, '/v1/screenshot', { html, waitFor: 'load' })), 50),
    ).toEqual([lime]);
  });
});
