/** A page as PDF. Chromium keeps the whole until it is read, so however large it is, little of it is here at a time. */
import { pipeline, type Readable } from 'node:stream';
import { CdpError } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import { dialogOpen, type PageTarget, pageCrashed, readHandle, unlessItEnds } from '../reach/reach.ts';
import type { Asset } from '../visit/schema.ts';
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

export async function printPdf(page: PageTarget, given: Print & Around): Promise<Readable> {
  const { asked, fonts } = withTemplates(given);
  const parameters = parametersOf(asked);
  // Chromium itself ends when it is to print a page that crashed.
  if (page.blocker() === 'crashed') throw pageCrashed(page);
  if (page.blocker() === 'dialog') throw dialogOpen();
  try {
    const printed = await unlessItEnds(page, () => print(page, asked, parameters, fonts));
    return asked.about ? withAbout(printed, asked.about) : printed;
  } catch (error) {
    throw error instanceof CdpError ? whyNotPrinted(error) : error;
  }
}

async function print(
  page: PageTarget,
  asked: Print & Around,
  parameters: ReturnType<typeof parametersOf>,
  fonts: readonly TemplateFont[],
): Promise<Readable> {
  const { cdp, sessionId } = page;
  await using undo = new AsyncDisposableStack();
  await whenFontsAreThere(page, asked);
  if (fonts.length > 0) await keepFonts(page, fonts, undo);
  const sheet = asked.singlePage ? await singleSheet(page, asked, undo) : undefined;
  const all = { ...parameters, ...sheet?.paper, ...(sheet && { scale: sheet.scale }) };
  const { stream = '' } = await cdp.send('Page.printToPDF', all, { sessionId, timeoutMs: printMs });
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
