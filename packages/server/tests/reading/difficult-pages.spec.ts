import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ScrapeSite, startScrapeSite } from '../support/scrape-site.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let site: ScrapeSite;
let id: string;

beforeAll(async () => {
  site = await startScrapeSite();
  server = await startServer();
  id = (await server.api.create({ policy: { privateAccess: { localhost: true } } })).body.id;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const scraped = async (request: object) => {
  const { status, body } = await server.api.call('POST', `/v1/browsers/${id}/scrape`, { body: request });
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  return body;
};
const served = (html: string, more: object = {}, path = '/page') => {
  site.serve(path, 'text/html; charset=utf-8', Buffer.from(`<!doctype html>${html}`));
  return scraped({ url: site.origin + path, ...more });
};

const line = (n: number): string =>
  `Paragraph ${n} tells how the animals came down from the hills, one pair in the first winter and three the next.`;
const lines = (count: number, from = 1): string =>
  Array.from({ length: count }, (_, at) => `<p>${line(from + at)}</p>`).join('\n');
const linked = (n: number): string => `<p>${line(n)} <a href="/n${n}">A note</a> and a <b>word</b>.</p>`;

describe('a page that hides itself until a script of it has run', () => {
  const mixed = `<h1>Otters</h1>${linked(1)}${lines(8, 2)}<ul><li>Trout</li><li><a href=/eel>Eel</a></li></ul>${linked(10)}`;

  test.each([
    ['body', `<style>body{visibility:hidden}</style><body>${mixed}`],
    ['html', `<style>html{visibility:hidden}</style><body>${mixed}`],
    [
      'its content',
      `<body><header><p>${line(77)}</p></header><main style="visibility:hidden">${mixed}${lines(8, 11)}</main>`,
    ],
  ])('is read whole: %s', async (_, html) => {
    const { content, data } = await served(html, { extract: { title: { selector: 'h1' } } });
    for (const n of [1, 2, 5, 9, 10]) expect(content).toContain(`Paragraph ${n} `);
    for (const word of ['Trout', 'Eel', 'A note']) expect(content).toContain(word);
    expect(data).toEqual({ title: 'Otters' });
  });

  test('does not bring what is hidden on other pages', async () => {
    const { content } = await served(
      `<main>${lines(6)}<div style="visibility:hidden">Veiled words <b>with</b> <i style="visibility:visible">one shown</i></div><p style="display:none">Gone.</p></main>`,
      { format: 'text', mainContent: false },
    );
    expect(content).toContain('one shown');
    expect(content).not.toMatch(/Veiled|with|Gone/);
  });
});

test('a page that never loads and never stops fetching is read', async () => {
  // past its time it would be refused, not read
  const { content } = await served(
    `${lines(5)}<img src="/gone?0" onerror="this.src = '/gone?' + Math.random()">`,
  );
  expect(content).toContain('Paragraph 5');
});

describe('parts of tables and headings in strange places', () => {
  test('a cell outside of a table is a block', async () => {
    const html = `<div id=at></div><script>const td = document.createElement('td'); td.innerHTML = ${JSON.stringify(`<h1>Otters in the valley</h1>${lines(40)}`)}; at.append(td)</script>`;
    const { content } = await served(html);
    expect(content).not.toContain('<br>');
    expect(content).toContain(`\n\n${line(7)}\n\n`);
    expect(content.split('\n')[0]).toBe('# Otters in the valley');
  });

  test('a page arranged by a table is its paragraphs', async () => {
    const row = (n: number) => `<tr><td><h3>Part ${n}</h3>${lines(6, n * 10)}</td><td>&nbsp;</td></tr>`;
    const { content } = await served(`<table>${row(1)}${row(2)}${row(3)}</table>`);
    expect(content).not.toContain('<br>');
    expect(content).toContain(`### Part 2\n\n${line(20)}\n\n`);
  });

  test('rows that were selected are a table', async () => {
    const table = `<table><tr><th>Year</th><th>Otters</th></tr><tr class=x><td>2024</td><td>2</td></tr><tr class=x><td>2025</td><td>4</td></tr></table>`;
    const { content } = await served(table, { selector: 'tbody' });
    expect(content).toBe('| Year | Otters |\n| --- | --- |\n| 2024 | 2 |\n| 2025 | 4 |');
  });

  test('a heading that was never closed is one line', async () => {
    const { content } = await served(`<h2>Otters return<div>${lines(6)}</div>`, { mainContent: false });
    expect(content).toContain(`## Otters return\n\n${line(1)}\n\n${line(2)}`);
  });
});

describe('headings', () => {
  const wiki = `<title>Otter - Encyclopedia</title><main><h1>The otters of the valley</h1>${lines(3)}
    <div class="mw-heading mw-heading2"><h2 id="Food">Food</h2><span class="mw-editsection"><span>[</span><a href="/w/index.php?title=Otter&amp;action=edit&amp;section=1">edit</a><span>]</span></span></div>
    <p>${line(4)}<sup class="reference"><a href="#cite_note-1">[1]</a></sup> And more.<sup><a href="#fn2">2</a></sup> H<sub>2</sub>O and x<sup>2</sup>.</p>
    <h3>Fish [<a href="/w/index.php?title=Otter&amp;action=edit&amp;section=2">bearbeiten</a>]</h3>${lines(6, 5)}</main>`;

  test('keep their level and lose the links that edit them', async () => {
    const { content } = await served(wiki);
    expect(content).toContain('# The otters of the valley\n');
    expect(content).toContain('\n## Food\n');
    expect(content).toContain('\n### Fish\n');
    expect(content).toContain('[\\[1\\]]');
    const article = `<title>Site</title><article><h1>First level</h1>${lines(8)}<h1>Another</h1>${lines(3, 9)}</article>`;
    expect((await served(article)).content).toMatch(/^# First level\n[\s\S]*\n# Another\n/);
  });

  test('and their texts come without citations where they are not wanted', async () => {
    const { content } = await served(wiki, { citations: false });
    expect(content).toContain(`${line(4)} And more. H2O and x2.`);
    expect(content).not.toMatch(/cite_note|#fn2/);
  });
});

describe('the author', () => {
  const authorOf = async (head: string, body = '') =>
    (
      await served(`<head>${head}</head><body><article><h1>Otters</h1>${body}${lines(8)}</article>`, {
        include: ['metadata'],
        format: 'json',
      })
    ).metadata.author;
  const ld = (data: object) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;

  test('is the one of the structured data, all of them, also by reference', async () => {
    const head = '<meta name=author content="The Valley Post"><meta name="twitter:creator" content="@ada">';
    expect(
      await authorOf(
        head + ld({ '@type': 'NewsArticle', author: [{ name: 'Ada Field' }, { name: 'Bo Lund' }] }),
      ),
    ).toBe('Ada Field, Bo Lund');
    const graph = [
      { '@type': 'WebPage', '@id': '#p', author: { '@id': '#bo' } },
      { '@type': 'Person', '@id': '#bo', name: 'Bo Lund' },
    ];
    expect(await authorOf(head + ld({ '@graph': graph }))).toBe('Bo Lund');
  });

  test('is the one that the page itself names, before the head of the page', async () => {
    const head =
      '<meta name=author content="The Valley Post"><meta property="article:author" content="https://f.example/ada">';
    expect(
      await authorOf(
        head,
        '<p class="byline">By <a rel="author" href="/ada">Ada Field</a> | 4 March 2026</p>',
      ),
    ).toBe('Ada Field');
    expect(
      await authorOf(head, '<div class="article-byline">By Ada Field and Bo Lund, 4 March 2026</div>'),
    ).toBe('Ada Field and Bo Lund');
    expect(await authorOf(head)).toBe('The Valley Post');
  });

  test('is never a handle or an address', async () => {
    expect(
      await authorOf(
        '<meta property="article:author" content="https://f.example/ada"><meta name="twitter:creator" content="@ada">' +
          ld({ '@type': 'Article', author: 'https://ada.example' }),
      ),
    ).toBeUndefined();
  });
});

describe('what comes late or from elsewhere', () => {
  test('a post of another site is part of the article, or a link to it', async () => {
    site.serve(
      '/post',
      'text/html',
      Buffer.from('<article><p>Saw an otter today, behind the mill.</p></article>'),
    );
    const post = `<div class="twitter-tweet"><iframe data-tweet-id="20" src="/post"></iframe></div>`;
    const other = '<iframe src="/frame"></iframe>';
    const { content } = await served(`<article>${lines(4)}${post}${other}${lines(4, 5)}</article>`);
    expect(content).toContain(`${line(4)}\n\n> Saw an otter today, behind the mill.\n\n`);
    expect(content).not.toContain('Inside the first');
    const lost = await served(
      `<article>${lines(4)}${post.replace('/post', '/empty-500')}${lines(4, 5)}</article>`,
    );
    expect(lost.content).toContain('[Post](https://x.com/i/status/20)');
    const quoted = `<blockquote class="twitter-tweet"><p>Before its script has run.</p>&mdash; Bo <a href="https://x.com/bo/status/1">May 4</a></blockquote>`;
    expect((await served(`<article>${lines(4)}${quoted}${lines(4, 5)}</article>`)).content).toContain(
      '> Before its script has run.',
    );
  });

  test('pictures have the address that they will have', async () => {
    const { content } = await served(`<article>${lines(4)}
      <img src="/img/wait.gif" data-src="/one.jpg" alt=One>
      <picture><source data-srcset="/two-400.webp 400w, /two-800.webp 800w"><img alt=Two></picture>
      <p><img class=lazy src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt=Three><noscript><img src="/three.jpg" alt=Three></noscript></p>
      <p><img src="/four.jpg" alt=Four><noscript><img src="/four.jpg" alt=Four></noscript></p>
      <noscript><img height=1 width=1 src="https://track.example/pixel"></noscript>
      ${lines(4, 5)}</article>`);
    for (const [name, file] of [
      ['One', 'one.jpg'],
      ['Two', 'two-800.webp'],
      ['Three', 'three.jpg'],
      ['Four', 'four.jpg'],
    ])
      expect(content.split(`![${name}](${site.origin}/${file})`)).toHaveLength(2);
    expect(content).not.toContain('pixel');
  });

  test('sections that come when a reader gets there are there, and the page is back at its top', async () => {
    const part = (n: number) =>
      `<section id=s${n} style="min-height:1500px"><div style="opacity:0" class=later></div></section>`;
    const { content, data } = await served(
      `<main>${lines(8)}${[1, 2, 3].map(part).join('')}</main><p id=top></p><script>
      const seen = new IntersectionObserver((all) => { for (const { isIntersecting, target } of all) if (isIntersecting) {
        seen.unobserve(target);
        fetch('/slow').then((r) => r.text()).then((text) => { target.firstChild.innerHTML = '<p>Section ' + target.id + ': ' + text + '</p>'; top.textContent = scrollY }) } });
      for (const section of document.querySelectorAll('section')) seen.observe(section);
      addEventListener('scroll', () => { document.querySelector('#top').textContent = String(scrollY) })</script>`,
      { extract: { top: { selector: '#top' } } },
    );
    for (const n of [1, 2, 3]) expect(content).toContain(`Section s${n}: Words enough`);
    expect(data).toEqual({ top: '0' });
  });
});
