/** A sample in the blank page of a process, so that what reads and draws a page has run once before the next one comes. */
const paragraph =
  '<p>Words, <a href="#">a link</a>, <b>some in bold</b> and <i>some in italics</i>, with <code>code</code>.</p>';

const sampleWith = (mark: string): string =>
  [
    `<title>Sample</title><nav id="${mark}"><a href="#">Home</a></nav>`,
    `<article><h1>Sample</h1>${paragraph.repeat(12)}`,
    '<ul><li>One<li>Two</ul><table><tr><th>Name<td>Value</table></article>',
  ].join('');

/** A caller's document cannot know the mark. */
export function show(mark: string): void {
  document.documentElement.innerHTML = sampleWith(mark);
}

export function clear(mark: string): void {
  if (document.getElementById(mark)) document.documentElement.innerHTML = '';
}
