/** Makes this empty document one of the text of a PDF: a section for each page, in it headings and paragraphs. */
import type { PdfOutcome } from './inside.ts';
import { blocksOf, type Line, leadingOf, linesOf, type Piece } from './pdf-lines.ts';
import { markPdf } from './pdf-mark.ts';

interface Pdf {
  numPages: number;
  getMetadata(): Promise<{ info: Record<string, unknown> }>;
  getPage(number: number): Promise<{
    getTextContent(): Promise<{ items: Piece[] }>;
    cleanup(): void;
  }>;
}
declare const pdfjs: {
  getDocument(options: object): { promise: Promise<Pdf>; destroy(): Promise<void> };
  PDFDateString: { toDateObject(date: string): Date | null };
};

const mostPages = 5000;
const mostChars = 4_000_000;
const longestHeading = 200;
const lowestHeading = 4;

const pieces: Uint8Array[] = [];
export const add = (base64: string): void =>
  void pieces.push((Uint8Array as unknown as { fromBase64(text: string): Uint8Array }).fromBase64(base64));

/** Nothing is drawn, so nothing is fetched or decoded for that. */
const textOnly = {
  verbosity: 0,
  disableFontFace: true,
  useWorkerFetch: false,
  isOffscreenCanvasSupported: false,
  isImageDecoderSupported: false,
  useWasm: false,
};

export async function read(ms: number): Promise<PdfOutcome> {
  const deadline = performance.now() + ms;
  const data = new Uint8Array(await new Blob(pieces.splice(0) as BlobPart[]).arrayBuffer());
  const opening = pdfjs.getDocument({ data, ...textOnly });
  try {
    const pdf = await opening.promise.catch((error: Error) => error);
    if (pdf instanceof Error) return pdf.name === 'PasswordException' ? 'encrypted' : 'broken';
    const { pages, cut } = await textOf(pdf, deadline);
    const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
    describe(info, pdf.numPages);
    write(pages);
    markPdf(cut);
    return 'read';
  } finally {
    await opening.destroy();
  }
}

/** A page that cannot be read is an empty one among the others. */
async function textOf(pdf: Pdf, deadline: number): Promise<{ pages: Line[][]; cut: boolean }> {
  const pages: Line[][] = [];
  let chars = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    if (number > mostPages || chars > mostChars || performance.now() > deadline) return { pages, cut: true };
    const page = await pdf.getPage(number).catch(() => undefined);
    const content = await page?.getTextContent().catch(() => undefined);
    const lines = linesOf(content?.items ?? []);
    for (const { text } of lines) chars += text.length;
    pages.push(lines);
    page?.cleanup();
  }
  return { pages, cut: false };
}

function describe(info: Record<string, unknown>, pages: number): void {
  const said = (name: string): string => (typeof info[name] === 'string' ? info[name] : '');
  const date = (name: string): string => pdfjs.PDFDateString.toDateObject(said(name))?.toJSON() ?? '';
  document.title = said('Title');
  if (said('Language')) document.documentElement.lang = said('Language');
  const facts = {
    author: said('Author'),
    description: said('Subject'),
    keywords: said('Keywords'),
    generator: said('Producer'),
    date: date('CreationDate'),
    'last-modified': date('ModDate'),
    pages: String(pages),
  };
  for (const [name, content] of Object.entries(facts)) {
    if (!content) continue;
    const tag = document.createElement('meta');
    tag.name = name;
    tag.content = content;
    document.head.append(tag);
  }
}

function write(pages: Line[][]): void {
  const tagOf = tagsOf(pages);
  const leading = leadingOf(pages);
  for (const [at, lines] of pages.entries()) {
    if (at > 0) document.body.append(document.createElement('hr'));
    const section = document.createElement('section');
    section.id = `page-${at + 1}`;
    for (const { size, lines: written } of blocksOf(lines, leading)) {
      const block = document.createElement(tagOf(size, written.join(' ')));
      for (const [line, text] of written.entries())
        block.append(...(line > 0 ? [document.createElement('br')] : []), text);
      section.append(block);
    }
    document.body.append(section);
  }
  document.title ||= document.querySelector('h1')?.textContent ?? '';
}

/** The size most of the text has is that of paragraphs; what is clearly larger is a heading, the largest the highest. */
function tagsOf(pages: Line[][]): (size: number, text: string) => string {
  const step = (size: number): number => Math.round(size * 2);
  const chars = new Map<number, number>();
  for (const { size, text } of pages.flat())
    chars.set(step(size), (chars.get(step(size)) ?? 0) + text.length);
  const usual = [...chars].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
  const larger = [...chars.keys()].filter((size) => size >= usual * 1.15).sort((a, b) => b - a);
  return (size, text) => {
    const level = larger.indexOf(step(size)) + 1;
    const worded = text.length <= longestHeading && /\p{L}{2}/u.test(text);
    return level > 0 && worded ? `h${Math.min(level, lowestHeading)}` : 'p';
  };
}
