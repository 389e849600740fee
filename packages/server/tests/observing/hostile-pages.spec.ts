import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Pages, servePages } from '../../src/chromium/pipe/mux.fixture.ts';
import { linesOf, nodesOf, Tab } from '../support/observed-tab.ts';

/** Pages that are too large, lie, or change while they are read: an observation has an end and a size all the same. */
let tab: Tab;
let site: Pages;
const mostChars = 8_000_000;

beforeAll(async () => {
  tab = await Tab.open();
  site = await servePages({
    '/': '<!doctype html><meta charset="utf-8"><title>Hostile</title><body></body>',
  });
});
afterAll(async () => {
  await tab[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});
beforeEach(() => tab.goto(`${site.origin}/`));

const sizeOf = (page: Awaited<ReturnType<Tab['read']>>): number => JSON.stringify(page).length;

test('a page of 60,000 elements that are all operable is cut, and says so', async () => {
  // More nodes than a reading takes, and more elements than it looks at.
  await tab.run(`document.body.innerHTML = '<button onclick="1">x</button>'.repeat(60_000)`);
  const page = await tab.read({ ms: 60_000 });
  expect(page.cut).toBe(true);
  const buttons = nodesOf(page).filter(({ role }) => role === 'button');
  expect(buttons.length).toBeGreaterThan(1000);
  expect(sizeOf(page)).toBeLessThan(mostChars);
});

test('one that cannot be read in its time is cut there, or refused', async () => {
  await tab.run(`document.body.innerHTML = '<p><a href="/">x</a></p>'.repeat(50_000)`);
  const page = await tab.read({ ms: 1500 }).catch((error: unknown) => error);
  if (page instanceof Error) expect(page).toMatchObject({ code: 'BROWSER_UNRESPONSIVE' });
  else expect(page).toMatchObject({ cut: true });
  expect(await tab.run('1 + 1')).toBe(2);
});

test('elements nested 2,000 deep are read, flat from some depth on', async () => {
  await tab.run(`let at = document.body;
    for (let i = 0; i < 2000; i++) at = at.appendChild(document.createElement(i % 2 ? 'div' : 'nav'));
    at.innerHTML = '<button>Bottom</button>'; 0`);
  const page = await tab.read({ ms: 60_000 });
  expect(nodesOf(page).filter(({ name }) => name === 'Bottom')).toMatchObject([{ interactive: true }]);
});

test('names, values and notes without end are cut', async () => {
  await tab.run(`const long = 'long '.repeat(200_000);
    document.body.innerHTML = '<button>Go</button><input><a href="/">Link</a><p></p>';
    const [button, input, link, p] = document.body.children;
    button.setAttribute('aria-label', long); button.title = long; input.value = long; input.placeholder = long;
    link.href = '/' + long; p.textContent = long; document.title = long; 0`);
  const page = await tab.read({ ms: 60_000 });
  const [button] = nodesOf(page).filter(({ role }) => role === 'button');
  expect(button?.name?.length).toBeLessThan(1000);
  expect(sizeOf(page)).toBeLessThan(200_000);
});

test('prototypes that the page has replaced change nothing', async () => {
  await tab.run(`document.body.innerHTML = '<button>True</button>';
    for (const [of, name] of [[Element.prototype, 'getAttribute'], [Element.prototype, 'getBoundingClientRect'], [Element.prototype, 'checkVisibility'],
      [Element.prototype, 'matches'], [Array.prototype, 'push'], [String.prototype, 'replace'], [JSON, 'stringify'], [window, 'getComputedStyle']])
      of[name] = () => { throw new Error('replaced') };
    0`);
  expect(linesOf(await tab.read())).toEqual([expect.stringMatching(/^- button "True" operable/)]);
});

test('a form whose fields are named after what elements are asked is read', async () => {
  const names = `getAttribute matches parentElement checkVisibility getBoundingClientRect children querySelector closest nodeType firstChild
    nextSibling textContent assignedSlot getRootNode localName shadowRoot tagName isConnected isContentEditable`;
  await tab.run(`document.body.innerHTML = '<form aria-label="Form">' + ${JSON.stringify(names)}.trim().split(/\\s+/).map((name) =>
    '<input name="' + name + '" aria-label="' + name + '">').join('') + '</form><img name="body"><img name="activeElement"><img name="title">'; 0`);
  const fields = nodesOf(await tab.read()).filter(({ role }) => role === 'textbox');
  expect(fields).toHaveLength(names.split(/\s+/).length);
});

test('a page that never stops changing is read as it was at one moment', async () => {
  await tab.run(
    `setInterval(() => { document.body.innerHTML = '<ul>' + '<li><button>' + Math.random() + '</button></li>'.repeat(200) + '</ul>' }, 0); 0`,
  );
  for (let times = 0; times < 3; times++) {
    const page = await tab.read();
    const refs = nodesOf(page).flatMap(({ ref }) => ref ?? []);
    expect(new Set(refs).size).toBe(refs.length);
  }
});

test('listeners without number do not hold it up', async () => {
  await tab.run(`document.body.innerHTML = '<div>Many</div>'.repeat(500) + '<button>Plain</button>';
    for (const div of document.querySelectorAll('div'))
      for (let i = 0; i < 60; i++) div.addEventListener('click', () => i);
    0`);
  expect(linesOf(await tab.read({ ms: 60_000 })).join('\n')).toContain('button "Plain"');
});

test('a page that is stuck is given up, and can be read once it goes on', async () => {
  await tab.run(
    `setTimeout(() => { const until = Date.now() + 2000; while (Date.now() < until); document.body.innerHTML = '<button>Back</button>' }, 0); 0`,
  );
  const early = await tab.read({ ms: 500 }).catch((error: unknown) => error);
  if (early instanceof Error) expect(early).toMatchObject({ code: 'BROWSER_UNRESPONSIVE' });
  await expect.poll(async () => linesOf(await tab.read())).toContainEqual(expect.stringContaining('"Back"'));
});
