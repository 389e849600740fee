/**
 * The programs of `inside/`, as the service calls them. What a page contains is read there, in Chromium's sandbox, and
 * never parsed by the service.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pageProgram } from '../../kit/page-program.ts';
import type {
  CaptchaProgram,
  ClipboardProgram,
  ControlsProgram,
  DataProgram,
  DrawingProgram,
  ElementsProgram,
  GatherProgram,
  HitProgram,
  ObserveProgram,
  OnwardProgram,
  OwnHtmlProgram,
  PageCallbackProgram,
  PdfProgram,
  RehearsalProgram,
  ScrapeProgram,
  SecretFieldProgram,
  SettlingProgram,
  SmallDocumentProgram,
  StagingProgram,
  StirProgram,
  WriterProgram,
} from '../inside/inside.ts';

const folder = join(import.meta.dirname, '../inside');
const require = createRequire(import.meta.url);

const readers = {
  Readability: ['@mozilla/readability/Readability.js', 'module.exports'],
  TurndownService: ['turndown/dist/turndown.js', 'TurndownService'],
  gfm: ['@joplin/turndown-plugin-gfm', 'module.exports'],
} as const;

/** A CommonJS module, made a statement. */
const library = ([name, [file, value]]: [string, readonly [string, string]]): string => {
  const source = readFileSync(require.resolve(file), 'utf8');
  return `const ${name} = (() => { const module = { exports: {} }; const exports = module.exports;\n${source}\nreturn ${value}; })();`;
};

/** A module, made a statement: it gives what it exports to `pdfjsLib` besides. */
function pdfjs(): string {
  const source = readFileSync(fileURLToPath(import.meta.resolve('unpdf/pdfjs')), 'utf8');
  const script = source.replace(/export\s*\{[^{}]*\};?\s*$/, '').replaceAll('import.meta.url', "''");
  return `const pdfjs = (() => {\n${script}\nreturn globalThis.pdfjsLib; })();`;
}

const readingLibraries = (): string[] => Object.entries(readers).map(library);

export const scrapeProgram = pageProgram<ScrapeProgram>(join(folder, 'scrape'), readingLibraries);

/** The two halves of the one above, for pages that are read on the way: the second stays where it is, and warm. */
export const gatherProgram = pageProgram<GatherProgram>(join(folder, 'gather'));
export const writerProgram = pageProgram<WriterProgram>(join(folder, 'writer'), readingLibraries);

export const dataProgram = pageProgram<DataProgram>(join(folder, 'data/data'));

/** The reader of PDFs is far larger than all the rest, so it goes only where there is one. */
export const pdfProgram = pageProgram<PdfProgram>(join(folder, 'pdf'), () => [pdfjs()]);

export const settlingProgram = pageProgram<SettlingProgram>(join(folder, 'settling'));
export const elementsProgram = pageProgram<ElementsProgram>(join(folder, 'elements'));
export const drawingProgram = pageProgram<DrawingProgram>(join(folder, 'drawing'));
export const clipboardProgram = pageProgram<ClipboardProgram>(join(folder, 'clipboard'));
export const secretFieldProgram = pageProgram<SecretFieldProgram>(join(folder, 'secret-field'));
export const captchaProgram = pageProgram<CaptchaProgram>(join(folder, 'captcha/captcha'));
export const controlsProgram = pageProgram<ControlsProgram>(join(folder, 'controls/controls'));
export const pageCallbackProgram = pageProgram<PageCallbackProgram>(join(folder, 'captcha/page-callback'));
export const hitProgram = pageProgram<HitProgram>(join(folder, 'hit'));
export const observeProgram = pageProgram<ObserveProgram>(join(folder, 'observe/observe'));
export const onwardProgram = pageProgram<OnwardProgram>(join(folder, 'onward'));
export const ownHtmlProgram = pageProgram<OwnHtmlProgram>(join(folder, 'own-html'));
export const rehearsalProgram = pageProgram<RehearsalProgram>(join(folder, 'rehearsal'));
export const smallDocumentProgram = pageProgram<SmallDocumentProgram>(join(folder, 'small-document'));
export const stagingProgram = pageProgram<StagingProgram>(join(folder, 'staging'));
export const stirProgram = pageProgram<StirProgram>(join(folder, 'stir'));
