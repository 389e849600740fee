import { beforeAll, describe, expect, test } from 'vitest';
import { launchRig, type Rig } from '../../src/chromium/pipe/mux.fixture.ts';
import type { Asked } from '../../src/page/inside/inside.ts';
import { lookInto, type PageSession, scrapeProgram } from '../../src/page/reach/reach.ts';
import { readAside } from '../../src/page/read/read-aside.ts';
import { keptPage, readCorpus } from '../support/reading-corpus.ts';
import { article, form, listing } from '../support/scrape-pages.ts';

/** Quick actions have the text of a page written in a blank page beside it: the very text that the page itself would write. */
let rig: Rig;
let page: PageSession;
let blank: PageSession;

async function newPage(): Promise<PageSession> {
  const { cdp } = rig.chromium;
  const { targetId } = await cdp.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: true });
  return { cdp, sessionId, targetId };
}

beforeAll(async () => {
  rig = await launchRig();
  page = await newPage();
  blank = await newPage();
  return () => rig[Symbol.asyncDispose]();
});

const usual: Asked = {
  ...{ form: 'markdown', mainContent: true, include: [], from: 0, most: 1_000_000, citations: false },
  ...{ shadow: true, framesRead: false, ms: 120_000 },
};

const show = (html: string) =>
  page.cdp.send(
    'Page.setDocumentContent',
    { frameId: page.targetId ?? '', html },
    { sessionId: page.sessionId },
  );
const aside = (more: Partial<Asked> = {}) =>
  readAside(page, blank, { ...usual, ...more }, { writingMs: usual.ms });
const inPage = (more: Partial<Asked> = {}) =>
  lookInto(page, scrapeProgram.call('scrape', { ...usual, ...more }), usual.ms);

/** What no parser makes of any source, but scripts do. */
const nested = `<!doctype html><title>Nested</title><body><script>
const make = (tag, ...inner) => { const made = document.createElement(tag); made.append(...inner); return made; };
const link = (href, ...inner) => Object.assign(make('a', ...inner), { href });
document.body.append(
  make('p', 'before ', make('p', 'a paragraph in a paragraph'), make('div', 'and a block'), ' after'),
  link('https://a.example/', 'out ', link('https://b.example/', 'and in'), ' again'),
  make('table', make('p', 'no cell'), make('tr', make('td', 'a cell'), 'and text beside it')),
  make('ul', 'text in a list', make('li', make('li', 'an item in an item'))),
  make('pre', '\\n\\n  two lines before it'), make('p', 'one', '', 'two'),
)</script>`;

describe('what is written beside a page is what the page would write', () => {
  const pages = { article, listing, form, nested, empty: '', hidden: '<body style="display:none">text' };
  test.each(Object.entries(pages))('%s', async (_, html) => {
    await show(html);
    for (const more of [
      {},
      { mainContent: false, citations: true },
      ...(['html', 'text'] as const).flatMap((each) => [{ form: each }, { form: each, mainContent: false }]),
      { selector: 'p, li', include: ['links' as const, 'headings' as const] },
      { from: 40, most: 25 },
      { selector: 'x-none' },
      { selector: '>>' },
      { extract: { every: { selector: 'p', all: true } } },
    ]) {
      const own = await inPage(more);
      expect(await aside(more)).toEqual(own);
    }
  });

  test('saved pages, those that are not too large for it', async () => {
    const { kept } = await readCorpus();
    const written = [];
    for (const { page: name } of kept) {
      await show(await keptPage(name));
      const found = await aside();
      if (found) written.push(name);
      if (found) expect(found).toEqual(await inPage());
    }
    expect(written.length).toBeGreaterThan(kept.length / 2);
  });
});

describe('a page is read in itself', () => {
  test.each([
    ['has very many elements', `<body>${'<i>x</i>'.repeat(6000)}`],
    ['has very much text', `<body><p>${'word '.repeat(65_000)}`],
    ['shows a post of another site', '<body><p>text</p><iframe class="instagram-media"></iframe>'],
  ])('that %s', async (_, html) => {
    await show(html);
    expect(await aside()).toBeUndefined();
  });

  test('whose blank page is gone', async () => {
    await show(article);
    expect(await aside()).toBeDefined();
    await blank.cdp.send('Target.closeTarget', { targetId: blank.targetId ?? '' });
    expect(await aside()).toBeUndefined();
    expect(await aside()).toBeUndefined();
  });
});
