/** Plain text that reads like the page: a blank line between blocks, signs before items, bars between cells. */
const blocks = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE DETAILS DIV DL FIGCAPTION FIGURE FOOTER H1 H2 H3 H4 H5 H6 HEADER HR MAIN NAV OL P PRE SECTION TABLE UL'.split(
    ' ',
  ),
);

class Writer {
  readonly #parts: string[] = [];
  #breaks = 2;
  #space = false;
  /** A sign was written: its text stands beside it, whatever comes between. */
  #marked = false;

  /** At least so many line ends before what follows. */
  break(count: number): void {
    if (this.#marked || count === 0) return;
    this.#breaks = Math.max(this.#breaks, count);
    this.#space = false;
  }

  write(text: string): void {
    if (this.#parts.length > 0 && this.#breaks > 0) this.#parts.push('\n'.repeat(this.#breaks));
    else if (this.#space) this.#parts.push(' ');
    this.#breaks = 0;
    this.#space = false;
    this.#marked = false;
    this.#parts.push(text);
  }

  mark(sign: string): void {
    this.write(sign);
    this.#space = true;
    this.#marked = true;
  }

  flow(text: string): void {
    const words = text.replace(/\s+/g, ' ');
    if (words.startsWith(' ') && this.#breaks === 0) this.#space = true;
    const inner = words.trim();
    if (inner) this.write(inner);
    if (inner && words.endsWith(' ')) this.#space = true;
  }

  toString(): string {
    return this.#parts.join('');
  }
}

function visit(node: Node, out: Writer, indent: string): void {
  if (node.nodeType === Node.TEXT_NODE) out.flow(node.nodeValue ?? '');
  if (!(node instanceof Element)) return;
  const { tagName } = node;
  if (tagName === 'BR') out.break(1);
  else if (tagName === 'PRE') code(node, out);
  else if (tagName === 'LI') item(node, out, indent);
  else if (tagName === 'TR') row(node, out);
  else {
    const breaks = blocks.has(tagName) ? (node.closest('li') ? 1 : 2) : 0;
    out.break(breaks);
    for (const child of node.childNodes) visit(child, out, indent);
    out.break(breaks);
  }
}

function code(node: Element, out: Writer): void {
  out.break(2);
  if (node.textContent) out.write(node.textContent);
  out.break(2);
}

function item(node: Element, out: Writer, indent: string): void {
  const list = node.parentElement;
  const sign = list?.tagName === 'OL' ? `${node.getAttribute('value')}.` : '-';
  out.break(1);
  out.mark(`${indent}${sign}`);
  for (const child of node.childNodes) visit(child, out, `${indent}  `);
  out.break(1);
}

function row(node: Element, out: Writer): void {
  const cells = [...node.children].map((cell) => textOfTree(cell).replace(/\s+/g, ' '));
  out.break(1);
  if (cells.some(Boolean)) out.write(cells.join(' | '));
  out.break(1);
}

export function textOfTree(root: Element): string {
  const out = new Writer();
  for (const child of root.childNodes) visit(child, out, '');
  return out.toString();
}
