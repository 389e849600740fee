/** A sample in the blank page of a process, so that what reads and draws a page has run once before the next one comes. */
const paragraph =
  '<p>Words, <a href="#">a link</a>, <b>some in bold</b> and <i>some in italics</i>, with <code>code</code>.</p>';

const sample = [
  '<title>Sample</title><nav><a href="#">Home</a></nav>',
  `<article><h1>Sample</h1>${paragraph.repeat(12)}`,
  '<ul><li>One<li>Two</ul><table><tr><th>Name<td>Value</table></article>',
].join('');

export function show(): void {
  document.documentElement.innerHTML = sample;
}

export function clear(): void {
  document.documentElement.innerHTML = '';
}
