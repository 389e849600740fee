import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Pages, servePages } from '../../src/chromium/pipe/mux.fixture.ts';
import { linesOf, nodesOf, Tab } from '../support/observed-tab.ts';
import { corpus } from '../support/observing-pages.ts';

const paths = Object.fromEntries(Object.keys(corpus).map((name, index) => [name, `/${index}`]));
let tab: Tab;
let site: Pages;

const framed = (src: string): string =>
  `<!doctype html><title>Outer</title><p>Before</p><iframe src="${src}" title="Inner" width="300" height="150" style="border:5px solid"></iframe><button>After</button><span id="high">High</span><script>high.addEventListener('mousedown', () => 0)</script>`;
const inner =
  '<!doctype html><title>Deep</title><style>body{margin:0}</style><button>Inside</button><span id="low">Low</span><script>low.onclick = () => 0</script>';

beforeAll(async () => {
  tab = await Tab.open();
  site = await servePages({
    ...Object.fromEntries(Object.entries(corpus).map(([name, { html }]) => [paths[name], html])),
    '/inner': inner,
    '/same': framed('/inner'),
    '/other': `${framed('about:blank')}<script>document.querySelector('iframe').src = 'http://localhost:' + location.port + '/same'</script>`,
    '/steady': '<!doctype html><title>Steady</title><button id="a">A</button><button id="b">B</button>',
  });
});
afterAll(async () => {
  await tab[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const refOf = (page: Awaited<ReturnType<Tab['read']>>, name: string): string | undefined =>
  nodesOf(page).find((node) => node.name === name)?.ref;

describe('what an agent sees', () => {
  test.each(Object.entries(corpus))('%s', async (name, { lines, never = [] }) => {
    await tab.goto(site.origin + paths[name]);
    const seen = linesOf(await tab.read());
    for (const line of lines) expect(seen).toContainEqual(expect.stringMatching(line));
    for (const line of never) expect(seen).not.toContainEqual(expect.stringMatching(line));
  });

  test('where the page is scrolled to, and how far it goes', async () => {
    await tab.goto(site.origin + paths['what is outside the view says where it lies']);
    await tab.run('scrollTo(0, 1e6)');
    const page = await tab.read();
    expect(page.scroll.y).toBe(page.scroll.maxY);
    expect(page.scroll.maxY).toBeGreaterThan(2000);
    const far = nodesOf(page).find(({ name }) => name === 'Far');
    expect(far).toMatchObject({ inView: true });
  });

  test('only a part, by selector or by reference, and what a selector marks', async () => {
    await tab.goto(
      site.origin + paths['a card that is pressed as a whole does not hide what is pressed in it'],
    );
    const part = await tab.read({ selector: '#card' });
    expect(linesOf(part).join('\n')).not.toContain('Alone');
    const ref = part.root.children.find((child) => typeof child !== 'string')?.ref;
    expect(linesOf(await tab.read({ ref }))).toEqual(linesOf(part));
    const marked = nodesOf(await tab.read({ mark: 'p' })).filter((node) => node.marked);
    expect(marked).toMatchObject([{ ref: expect.stringMatching(/^e\d+$/), children: ['Two days'] }]);
    await expect(tab.read({ selector: '#none' })).rejects.toMatchObject({ code: 'SELECTOR_NOT_FOUND' });
    await expect(tab.read({ selector: 'a[' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(tab.read({ mark: ':no' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('frames', () => {
  test('of the same process are part of the tree, with boxes in the viewport of the page', async () => {
    await tab.goto(`${site.origin}/same`);
    const page = await tab.read({ boxes: true });
    const frame = nodesOf(page).find(({ role }) => role === 'iframe');
    const button = nodesOf(page).find(({ name }) => name === 'Inside');
    expect(button).toMatchObject({ ref: expect.stringMatching(/^f\d+e\d+$/), inView: true });
    const heard = nodesOf(page).filter(({ name }) => name === 'High' || name === 'Low');
    expect(heard).toMatchObject([{ interactive: true }, { interactive: true }]);
    const [x = 0, y = 0] = frame?.box ?? [];
    expect(button?.box?.slice(0, 2)).toEqual([x + 5, y + 5]);
  });

  test('of other processes, and frames in those, are read as well, and keep their references', async () => {
    await tab.goto(`${site.origin}/other`);
    await expect.poll(async () => linesOf(await tab.read()).join('\n')).toContain('button "Inside"');
    const first = await tab.read();
    expect(refOf(first, 'Inside')).toMatch(/^f\d+e\d+$/);
    expect(refOf(await tab.read(), 'Inside')).toBe(refOf(first, 'Inside'));
    const part = await tab.read({ ref: refOf(first, 'Inside'), boxes: true });
    const whole = await tab.read({ boxes: true });
    const boxIn = (page: typeof part) => nodesOf(page).find(({ name }) => name === 'Inside')?.box;
    expect(boxIn(part)).toEqual(boxIn(whole));
    expect(part.viewport).toEqual(whole.viewport);
  });
});

describe('references', () => {
  test('stay with their elements while the page changes around them', async () => {
    await tab.goto(`${site.origin}/steady`);
    const before = await tab.read();
    await tab.run(`document.getElementById('a').before(Object.assign(document.createElement('button'), { textContent: 'New' }));
      document.body.append(document.getElementById('a'))`);
    const after = await tab.read();
    expect([refOf(after, 'A'), refOf(after, 'B')]).toEqual([refOf(before, 'A'), refOf(before, 'B')]);
    expect(new Set(['A', 'B', 'New'].map((name) => refOf(after, name))).size).toBe(3);
    expect(after.document).toBe(before.document);
  });

  test('are not given again when their element is gone, nor by the next document', async () => {
    await tab.goto(`${site.origin}/steady`);
    const before = await tab.read();
    await tab.run(`document.getElementById('a').outerHTML = '<button>A</button>'`);
    const again = refOf(await tab.read(), 'A');
    expect(again).not.toBe(refOf(before, 'A'));
    await expect(tab.read({ ref: refOf(before, 'A') })).rejects.toMatchObject({ code: 'SELECTOR_NOT_FOUND' });
    await tab.goto(`${site.origin}/steady`);
    const next = await tab.read();
    const old = [refOf(before, 'A'), refOf(before, 'B'), again];
    expect(old).not.toContain(refOf(next, 'A'));
    expect(old).not.toContain(refOf(next, 'B'));
    expect(next.document).not.toBe(before.document);
    await expect(tab.read({ ref: again })).rejects.toMatchObject({ code: 'SELECTOR_NOT_FOUND' });
  });
});
