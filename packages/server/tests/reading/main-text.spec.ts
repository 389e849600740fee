import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  keptPage,
  markedText,
  meanOf,
  proseOf,
  readCorpus,
  scoreOf,
  withoutTitle,
} from '../support/reading-corpus.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let at: string;

beforeAll(async () => {
  server = await startServer();
  at = `/v1/browsers/${(await server.api.create()).body.id}`;
});
afterAll(() => server[Symbol.asyncDispose]());

const read = async (html: string): Promise<string> => {
  const request = { html, waitFor: 'domcontentloaded', maxChars: 1_000_000 };
  const { body } = await server.api.call('POST', `${at}/scrape`, { body: request });
  expect(body.error).toBeUndefined();
  return body.content;
};

test('the text of saved pages is found: nearly all of it, and hardly anything else', async () => {
  const { kept } = await readCorpus();
  const scores = [];
  for (const { page, text, without } of kept) {
    const html = await keptPage(page);
    const execution = { code: markedText, args: { html, text, without } };
    const { body } = await server.api.call('POST', `${at}/script/execute`, { body: execution });
    const score = scoreOf(proseOf(withoutTitle(await read(html))), body.result);
    expect({ page, found: score.f1 > 0.93, whole: score.recall > 0.88 }).toEqual({
      page,
      found: true,
      whole: true,
    });
    scores.push(score);
  }
  expect(meanOf(scores).f1).toBeGreaterThan(0.97);
});

const line = (n: number): string =>
  `<p>Paragraph ${n} tells how the animals came down from the hills, one pair in the first winter and three the next, and how the anglers learned to live with it.</p>`;
const lines = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => line(from + index)).join('');
const page = (content: string): string =>
  `<!doctype html><title>Otters – The Post</title><body><article>${content}</article></body>`;
const picture = '<img src="https://post.example/otter.jpg" alt="An otter" width="600" height="400">';

describe('what stands in an article without being its text is left out', () => {
  test.each([
    ['a caption', `<figure>${picture}<figcaption>NOISE asleep in the sun.</figcaption></figure>`],
    [
      'a caption by name',
      `<div class="image-LARGE">${picture}<p>NOISE in the river.</p><span class="image-credit">NOISE</span></div>`,
    ],
    ['a gallery', `<div class="photo-gallery">${picture}<p>NOISE one</p>${picture}<p>NOISE two</p></div>`],
    [
      'a link to another article',
      '<p><b>See also:</b> <a href="https://post.example/n">NOISE about beavers and their dams</a></p>',
    ],
    [
      'the same in another language',
      '<p>À lire aussi : <a href="https://post.example/n">NOISE des castors</a></p>',
    ],
    [
      'a link in brackets',
      '<p><em>[<a href="https://post.example/n">NOISE: how to tell an otter from a beaver</a>]</em></p>',
    ],
    [
      'a list of other articles',
      '<h4>Related stories</h4><ul><li><a href="https://post.example/a">NOISE beavers next</a></li><li><a href="https://post.example/b">NOISE fish stocks fall again</a></li></ul>',
    ],
    ['an invitation', '<p>Sign up for our NOISE newsletter and never miss a story.</p>'],
    ['a row of buttons', '<ul class="x"><li>Print</li><li>Email</li><li>Share</li><li>Recommend</li></ul>'],
  ])('%s', async (_, noise) => {
    const content = await read(page(`<h1>Otters</h1>${lines(1, 6)}${noise}${lines(7, 6)}`));
    expect(content).not.toMatch(/NOISE|Recommend/);
    for (const n of [1, 6, 7, 12]) expect(content).toContain(`Paragraph ${n} `);
  });

  test('the line of the date, the box about the author and the notice of rights', async () => {
    const content = await read(
      page(`<h1>Otters</h1><p>Updated: August 13, 2025, 5:02 PM ET</p>${lines(1, 10)}
        <p><em>Ada Field is the river reporter of The Post. You can <a href="mailto:a@post.example">write to her</a>.</em></p>
        <div class="author-bio"><p>Ada lives by the river, where she NOISE.</p></div><p>© 2025 The Post</p>`),
    );
    expect(content).not.toMatch(/Updated|Ada|NOISE|©/);
    expect(content).toContain('Paragraph 10 ');
  });
});

describe('what only looks like that stays', () => {
  test('boxes of text in a book, whatever they are called', async () => {
    const box = (n: number) =>
      `<div class="sidebar"><div class="title"><b>Going further</b></div><div class="para">Box ${n} explains at some length what the text around it only mentions, as books do, in two or three sentences that belong to the text and to nothing else.</div></div>`;
    const para = (n: number) => line(n).replace('<p>', '<div class="para">').replace('</p>', '</div>');
    const parts = [1, 2, 3].map((n) => `${para(n * 2)}${box(n)}${para(n * 2 + 1)}`).join('');
    const content = await read(page(`<div class="section"><h2>Rights</h2>${parts}</div>`));
    for (const n of [1, 2, 3]) expect(content).toContain(`Box ${n} explains`);
  });

  test('captions where they are what the page says', async () => {
    const essay = Array.from(
      { length: 12 },
      (_, n) =>
        `<figure>${picture}<figcaption>Picture ${n} shows the valley in the year when the otters came back, before the mill was built and the bridge was closed.</figcaption></figure>`,
    ).join('');
    const content = await read(page(`<h1>Otters</h1>${lines(1, 5)}${essay}`));
    for (const n of [0, 5, 11]) expect(content).toContain(`Picture ${n} shows`);
  });

  test('sentences that begin like an invitation or a date, captions of tables and code, and paragraphs that are said twice', async () => {
    const content = await read(
      page(`<h1>Otters</h1>${lines(1, 4)}
        <p>Subscribe to the view of the anglers, and the otter is a thief; subscribe to that of the keepers, and it is the one who owned the river first and who only came home, late and hungry, to find its bed let to strangers.</p>
        <p>Published in 1927, the book sold well.</p><p>Video is what the keepers trust: each night it shows them who was at the river, and when, and for how long.</p>
        <figure><table><tr><th>Year</th><th>Otters</th></tr><tr><td>2024</td><td>2</td></tr></table><figcaption>Counted by the keepers.</figcaption></figure>
        ${line(1)}${lines(5, 4)}`),
    );
    for (const words of [
      'Subscribe to the view',
      'Published in 1927',
      'Video is what',
      'Counted by the keepers',
    ])
      expect(content).toContain(words);
    expect(content.split('Paragraph 1 tells')).toHaveLength(3);
  });
});
