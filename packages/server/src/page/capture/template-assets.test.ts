import { expect, test } from 'vitest';
import { fillTemplate } from './template-assets.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const logo = { name: 'images/my logo.svg', content: base64(svg) };
const font = { name: 'f.ttf', content: base64('\0\x01\0\0\0\x01') };
const sheet = {
  name: 'style/head.css',
  content: base64(
    '@font-face { src: url("../f.ttf") } b { background: url(../images/my%20logo.svg) } i::after { content: "</style>" }',
  ),
};
const address = `data:image/svg+xml;base64,${logo.content}`;
const fontAddress = `data:font/ttf;base64,${font.content}`;
const fill = (html: string) => fillTemplate(html, [logo, font, sheet], 'headerTemplate');

test.each([
  [`<img src="images/my%20logo.svg">`, `<img src="${address}">`],
  [`<img alt=x src='./images/my logo.svg' >`, `<img alt=x src="${address}" >`],
  [`<IMG SRC=/images/my%20logo.svg>`, `<IMG SRC="${address}">`],
  [`<b style="background: url(images/my%20logo.svg)">`, `<b style="background: url(${address})">`],
  [
    `<b style="background: url(&quot;images/my%20logo.svg&quot;); color: red">`,
    `<b style="background: url(${address}); color: red">`,
  ],
  [
    `<style>b { background: url('images/my logo.svg') }</style>`,
    `<style>b { background: url(${address}) }</style>`,
  ],
])('%s names a file that was sent', (html, filled) => {
  expect(fill(`<p>a</p>${html} b`).html).toBe(`<p>a</p>${filled} b`);
});

test.each([
  '<img src="other.png">',
  '<img src="https://example.com/images/my%20logo.svg">',
  '<img src="//x.invalid/f.ttf">',
  '<img src="../../etc/passwd"><img src="%zz"><img src="">',
  '<a href="images/my%20logo.svg">text</a>',
  'src="f.ttf" url(f.ttf)',
  '<!-- <img src="f.ttf"> -->',
  '<img src="f.ttf',
  '<style>b { background: url(f.ttf) }',
  '<link rel=icon href=f.ttf>',
])('%s stays as it is', (html) => {
  expect(fill(html)).toEqual({ html, fonts: [] });
});

test('a style sheet is written into the template, with what it names, and ends no element', () => {
  const { html, fonts } = fill('<link href="style/head.css" rel="stylesheet"><b>x</b>');
  expect(html).toBe(
    `<style>@font-face { src: url(${fontAddress}) } b { background: url(${address}) } i::after { content: "<\\/style>" }</style><b>x</b>`,
  );
  expect(fonts).toEqual([{ name: 'f.ttf', address: fontAddress }]);
});

test('a template that grows too long with its files is refused', () => {
  const large = { name: 'large', content: 'A'.repeat(6_000_000) };
  const html = '<img src=large>'.repeat(3);
  expect(() => fillTemplate(html, [large], 'footerTemplate')).toThrow(/footerTemplate.*smaller/);
});

test('what never ends takes no longer than it is', () => {
  for (const part of ['<a', '<!--', '<style>', '<a"', '<i style="url(', ' a=', 'url( '])
    expect(fill(part.repeat(100_000 / part.length)).fonts).toEqual([]);
});
