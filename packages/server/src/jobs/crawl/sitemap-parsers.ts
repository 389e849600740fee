/**
 * The two forms of a sitemap. The parser of XML keeps what it has not seen the end of, so a file that never ends anything
 * is refused; so is one with a DOCTYPE, which no sitemap has, and in which entities would be declared.
 */
import { SaxesParser } from 'saxes';
import { longestAddress } from './address.ts';

type Take = (text: string, isSitemap: boolean) => void;

/** It is no sitemap. */
export class Unfit extends Error {
  override name = 'Unfit';
}

/** Without the end of a tag, a text or a comment. */
const longestQuiet = 1024 ** 2;
const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

export class XmlParser {
  readonly #parser = new SaxesParser();
  readonly #path: string[] = [];
  #text = '';
  #quiet = 0;

  constructor(take: Take) {
    const parser = this.#parser;
    parser.on('doctype', () => {
      throw new Unfit('It has a DOCTYPE.');
    });
    parser.on('error', () => {
      throw new Unfit('It is not well formed.');
    });
    parser.on('opentag', ({ name }) => {
      this.#heard();
      this.#path.push(localName(name));
      this.#text = '';
      if (this.#path.length > 64) throw new Unfit('It is nested too deep.');
    });
    parser.on('text', (text) => this.#add(text));
    parser.on('cdata', (text) => this.#add(text));
    parser.on('comment', () => this.#heard());
    parser.on('closetag', () => {
      const [outer, inner] = this.#path.slice(-2);
      if (inner === 'loc' && (outer === 'url' || outer === 'sitemap')) take(this.#text, outer === 'sitemap');
      this.#path.pop();
      this.#heard();
    });
  }

  write(text: string): void {
    this.#quiet += text.length;
    this.#parser.write(text);
    if (this.#quiet > longestQuiet) throw new Unfit('Something in it has no end.');
  }

  end(): void {
    this.#parser.close();
  }

  #add(text: string): void {
    this.#heard();
    if (this.#path.at(-1) === 'loc') this.#text = (this.#text + text).slice(0, longestAddress + 1);
  }

  #heard(): void {
    this.#quiet = 0;
  }
}

/** One address a line. */
export class LinesParser {
  readonly #take: Take;
  #rest = '';

  constructor(take: Take) {
    this.#take = take;
  }

  write(text: string): void {
    const lines = (this.#rest + text).split(/\r\n|\r|\n/);
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > longestQuiet) throw new Unfit('A line of it has no end.');
    for (const line of lines) this.#line(line);
  }

  end(): void {
    this.#line(this.#rest);
  }

  #line(line: string): void {
    if (/^\s*https?:\/\//i.test(line)) this.#take(line, false);
  }
}
