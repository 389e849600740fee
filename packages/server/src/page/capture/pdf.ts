/** A page as PDF. Chromium keeps the whole until it is read, so however large it is, little of it is here at a time. */
import { pipeline, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CdpError } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import {
  dialogOpen,
  type PageSession,
  type PageTarget,
  pageCrashed,
  readHandle,
  unlessItEnds,
} from '../reach/reach.ts';
import type { Asset } from '../visit/schema.ts';
import type { AtRest } from '../visit/visit.ts';
import { whenFontsAreThere } from './measure.ts';
import { type About, PdfAbout } from './pdf-about.ts';
import { paperOf, wrongRanges } from './pdf-paper.ts';
import type { Print } from './schema.ts';
import { singleSheet } from './single-page.ts';
import { fillTemplate, type TemplateFont } from './template-assets.ts';
import { keepFonts } from './template-fonts.ts';

const printMs = 60_000;

/** What the page was told to believe for this, and what its templates name. */
interface Around {
  media?: string;
  colorScheme?: string;
  waitForFonts?: boolean;
  assets?: readonly Asset[];
}

/** Of a document that was laid out: there is no font left to wait for. */
const fontsLoaded = 'loaded';

/** Of a page that is visited for it: where nothing has to be measured or brought first, it is printed as soon as it is loaded. */
export function printAtRest(asked: Print): AtRest {
  const look = 'document.fonts?.status';
  const { singlePage, headerTemplate, footerTemplate } = asked;
  if (singlePage || headerTemplate !== undefined || footerTemplate !== undefined) return { look };
  return { look, draw: (page) => printedBehind(page, parametersOf(asked)) };
}

/** The look at the page goes before it: a long page takes long to print. */
async function printedBehind(page: PageSession, parameters: Parameters): Promise<Readable> {
  await nextTurn();
  return printed(page, parameters);
}

/** `seen`: what `printAtRest` brought. */
export async function printPdf(
  page: PageTarget,
  given: Print & Around,
  seen: { atRest?: unknown; drawn?: unknown } = {},
): Promise<Readable> {
  const { asked, fonts } = withTemplates(given);
  const finished = (print: Readable) => (asked.about ? withAbout(print, asked.about) : print);
  const fontsAreThere = seen.atRest === fontsLoaded && !asked.singlePage;
  if (seen.drawn instanceof Readable) {
    if (fontsAreThere) return finished(seen.drawn);
    seen.drawn.destroy();
  }
  const parameters = parametersOf(asked);
  // Chromium itself ends when it is to print a page that crashed.
  if (page.blocker() === 'crashed') throw pageCrashed(page);
  if (page.blocker() === 'dialog') throw dialogOpen();
  const waiting = { ...asked, ...(fontsAreThere && { waitForFonts: false }) };
  try {
    return finished(await unlessItEnds(page, () => print(page, waiting, parameters, fonts)));
  } catch (error) {
    throw error instanceof CdpError ? whyNotPrinted(error) : error;
  }
}

async function print(
  page: PageTarget,
  asked: Print & Around,
  parameters: Parameters,
  fonts: readonly TemplateFont[],
): Promise<Readable> {
  await using undo = new AsyncDisposableStack();
  await whenFontsAreThere(page, asked);
  if (fonts.length > 0) await keepFonts(page, fonts, undo);
  const sheet = asked.singlePage ? await singleSheet(page, asked, undo) : undefined;
  const all = { ...parameters, ...sheet?.paper, ...(sheet && { scale: sheet.scale }) };
  return printed(page, all);
}

async function printed({ cdp, sessionId }: PageSession, parameters: Parameters): Promise<Readable> {
  const { stream = '' } = await cdp.send('Page.printToPDF', parameters, { sessionId, timeoutMs: printMs });
  return readHandle(cdp, sessionId, stream, { made: true });
}

/** Templates with the files that they name in them. */
function withTemplates(asked: Print & Around): { asked: Print & Around; fonts: TemplateFont[] } {
  const { assets } = asked;
  const filled = { ...asked };
  const fonts = new Map<string, TemplateFont>();
  for (const path of ['headerTemplate', 'footerTemplate'] as const) {
    const template = asked[path];
    if (!assets || template === undefined) continue;
    const { html, fonts: named } = fillTemplate(template, assets, path);
    filled[path] = html;
    for (const font of named) fonts.set(font.name, font);
  }
  return { asked: filled, fonts: [...fonts.values()] };
}

/** Both end with either: a reader that has gone must not leave Chromium's copy behind. */
function withAbout(printed: Readable, about: About): Readable {
  const told = new PdfAbout(about);
  pipeline(printed, told, () => undefined);
  return told;
}

type Parameters = ReturnType<typeof parametersOf>;

function parametersOf(asked: Print) {
  const { landscape, scale, pageRanges, headerTemplate, footerTemplate, printBackground } = asked;
  const withTemplate = headerTemplate !== undefined || footerTemplate !== undefined;
  return {
    ...paperOf(asked),
    landscape,
    scale,
    pageRanges,
    displayHeaderFooter: asked.displayHeaderFooter ?? withTemplate,
    // A template that is left out would be Chromium's own, with date and address.
    headerTemplate: headerTemplate ?? (withTemplate ? '<span></span>' : undefined),
    footerTemplate: footerTemplate ?? (withTemplate ? '<span></span>' : undefined),
    printBackground,
    preferCSSPageSize: asked.preferCssPageSize,
    generateTaggedPDF: asked.tagged,
    generateDocumentOutline: asked.outline,
    transferMode: 'ReturnAsStream' as const,
  };
}

function whyNotPrinted(error: CdpError): ApiError {
  if (/page range/i.test(error.reason)) return wrongRanges(error.reason);
  return new ApiError('BROWSER_UNRESPONSIVE', `Chromium could not print the page: ${error.reason}.`, {
    details: { method: error.method },
    cause: error,
  });
}
