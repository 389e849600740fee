/**
 * Header and footer templates with files that were sent along. Chromium loads nothing for a template, so what one names is
 * written into it: pictures and fonts as data: addresses, style sheets as `<style>`. Only files that were sent are taken;
 * all other addresses stay as they are, and nothing is fetched.
 *
 *   <link rel=stylesheet href="head.css">  ->  <style>…</style>, with what its rules name
 *   <img src="logo.png">, style="background: url(logo.png)"  ->  data:image/png;base64,…
 */
import { mediaTypeOf } from '../../artifacts/artifacts.ts';
import { ApiError } from '../../errors.ts';
import type { Asset } from '../visit/schema.ts';

export interface FilledTemplate {
  html: string;
  /** What it has of fonts, which Chromium must know before it draws the template. */
  fonts: TemplateFont[];
}

export interface TemplateFont {
  name: string;
  address: string;
}

/** With all that was written into it; Chromium reads it anew for each page that it prints. */
const mostChars = 16 * 1024 ** 2;
const headBytes = 684;

const attribute = /(\s)([a-z:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/gi;
const cssUrl = /url\(\s*(?:"([^"\\]*)"|'([^'\\]*)'|([^\s"'()\\]*))\s*\)/gi;
const isAddress = new Set(['src', 'href', 'xlink:href', 'background']);

export function fillTemplate(template: string, assets: readonly Asset[], path: string): FilledTemplate {
  const filling = new Filling(assets);
  const html = filling.markup(template);
  if (html.length > mostChars)
    throw new ApiError(
      'VALIDATION_FAILED',
      `\`${path}\` takes ${html.length} characters with the files that it names, of at most ${mostChars}. Use smaller ones.`,
      { details: { issues: [{ path, reason: 'too long with its files' }] } },
    );
  return { html, fonts: [...filling.fonts.values()] };
}

class Filling {
  readonly #assets: ReadonlyMap<string, Asset>;
  readonly #addresses = new Map<string, string>();
  readonly fonts = new Map<string, TemplateFont>();

  constructor(assets: readonly Asset[]) {
    this.#assets = new Map(assets.map((asset) => [asset.name, asset]));
  }

  /** One pass; what is not ended is left as it is. */
  markup(html: string): string {
    const done: string[] = [];
    let at = 0;
    for (let start = html.indexOf('<'); start !== -1; start = html.indexOf('<', at)) {
      const end = endOfPart(html, start);
      if (end === -1) break;
      const part = html.slice(start, end);
      done.push(html.slice(at, start), part.startsWith('<!--') ? part : this.#tag(part));
      at = end;
      if (!/^<style[\s/>]/i.test(part)) continue;
      const close = html.slice(at).search(/<\/style/i);
      if (close === -1) break;
      done.push(this.#css(html.slice(at, at + close), ''));
      at += close;
    }
    return [...done, html.slice(at)].join('');
  }

  #tag(tag: string): string {
    if (/^<link\s/i.test(tag)) return this.#sheet(tag) ?? tag;
    // A link to a file is no part of the picture.
    const isLink = /^<(a|area|base)\s/i.test(tag);
    return tag.replace(attribute, (whole, gap: string, name: string, ...values: (string | undefined)[]) => {
      const value = plain(values.slice(0, 3).find((each) => each !== undefined) ?? '');
      const named = name.toLowerCase();
      if (named === 'style') return `${gap}${name}="${escaped(this.#css(value, ''))}"`;
      const address = isAddress.has(named) && !isLink ? this.#addressOf(value, '') : undefined;
      return address === undefined ? whole : `${gap}${name}="${address}"`;
    });
  }

  /** Undefined: it names no style sheet that was sent. */
  #sheet(tag: string): string | undefined {
    const given = new Map<string, string>();
    for (const [, , name = '', ...values] of tag.matchAll(attribute))
      given.set(name.toLowerCase(), plain(values.find((each) => each !== undefined) ?? ''));
    if (!/(^|\s)stylesheet(\s|$)/i.test(given.get('rel') ?? '')) return undefined;
    const asset = this.#find(given.get('href') ?? '', '');
    if (!asset) return undefined;
    const rules = Buffer.from(asset.content, 'base64').toString('utf8');
    // Nothing in a style sheet ends the element that it is written into.
    return `<style>${this.#css(rules, asset.name).replaceAll('</', '<\\/')}</style>`;
  }

  #css(rules: string, base: string): string {
    return rules.replace(cssUrl, (whole, ...values: (string | undefined)[]) => {
      const value = values.slice(0, 3).find((each) => each !== undefined) ?? '';
      const address = this.#addressOf(value, base);
      return address === undefined ? whole : `url(${address})`;
    });
  }

  #addressOf(reference: string, base: string): string | undefined {
    const asset = this.#find(reference, base);
    if (!asset) return undefined;
    const known = this.#addresses.get(asset.name);
    if (known !== undefined) return known;
    const { name, content } = asset;
    const type = mediaTypeOf({ head: Buffer.from(content.slice(0, headBytes), 'base64'), name });
    const address = `data:${type};base64,${content}`;
    this.#addresses.set(name, address);
    if (type.startsWith('font/')) this.fonts.set(name, { name, address });
    return address;
  }

  /** As Chromium would find it beside the page, or beside the style sheet that names it. */
  #find(reference: string, base: string): Asset | undefined {
    if (reference === '' || /^([a-z][a-z\d+.-]*:|\/\/|#)/i.test(reference)) return undefined;
    const root = 'http://x.invalid/';
    const url = URL.parse(reference, new URL(base.split('/').map(encodeURIComponent).join('/'), root));
    if (url?.host !== 'x.invalid') return undefined;
    try {
      return this.#assets.get(decodeURIComponent(url.pathname.slice(1)));
    } catch {
      return undefined;
    }
  }
}

/** After the tag or the comment that begins here; -1: it does not end. */
function endOfPart(html: string, start: number): number {
  if (html.startsWith('<!--', start)) {
    const end = html.indexOf('-->', start + 4);
    return end === -1 ? -1 : end + 3;
  }
  for (let at = start + 1; at < html.length; at++) {
    const letter = html[at];
    if (letter === '>') return at + 1;
    if (letter !== '"' && letter !== "'") continue;
    at = html.indexOf(letter, at + 1);
    if (at === -1) return -1;
  }
  return -1;
}

const plain = (value: string): string =>
  value.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&').trim();
const escaped = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
