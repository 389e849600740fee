/** A page as PDF. Chromium keeps the whole until it is read, so however large it is, little of it is here at a time. */
import type { Readable } from 'node:stream';
import { CdpError } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import { dialogOpen, type PageTarget, pageCrashed, readHandle, unlessItEnds } from '../reach/reach.ts';
import { waitForFonts } from './measure.ts';
import { paperOf, wrongRanges } from './pdf-paper.ts';

import type { Print } from './schema.ts';

const printMs = 60_000;

export async function printPdf(page: PageTarget, asked: Print): Promise<Readable> {
  const parameters = parametersOf(asked);
  // Chromium itself ends when it is to print a page that crashed.
  if (page.blocker() === 'crashed') throw pageCrashed(page);
  if (page.blocker() === 'dialog') throw dialogOpen();
  try {
    return await unlessItEnds(page, () => print(page, parameters));
  } catch (error) {
    throw error instanceof CdpError ? whyNotPrinted(error) : error;
  }
}

async function print(page: PageTarget, parameters: ReturnType<typeof parametersOf>): Promise<Readable> {
  const { cdp, sessionId } = page;
  await waitForFonts(page);
  const { stream = '' } = await cdp.send('Page.printToPDF', parameters, { sessionId, timeoutMs: printMs });
  return readHandle(cdp, sessionId, stream);
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
