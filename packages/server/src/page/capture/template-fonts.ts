/**
 * Fonts of templates. A template is drawn at once, before a font of its own could be read, and falls back to another. One
 * that the page has read by the same address is at hand then: so the page reads them first, unseen by its own code.
 */
import { ApiError } from '../../errors.ts';
import { drawingProgram, lookInto, type PageTarget } from '../reach/reach.ts';
import type { TemplateFont } from './template-assets.ts';

export async function keepFonts(
  page: PageTarget,
  fonts: readonly TemplateFont[],
  undo: AsyncDisposableStack,
): Promise<void> {
  const addresses = fonts.map(({ address }) => address);
  const failed = await lookInto(page, drawingProgram.call('keepFonts', addresses));
  undo.defer(() => lookInto(page, drawingProgram.callLoaded('letFontsGo')).catch(() => undefined));
  const font = failed === undefined ? undefined : fonts[failed];
  if (!font) return;
  throw new ApiError(
    'VALIDATION_FAILED',
    `The font ${font.name} of a template could not be read: it is damaged, or the page has a content security policy without fonts from data: addresses. Upload it instead: POST /v1/fonts.`,
    { details: { issues: [{ path: 'assets', reason: `the font ${font.name} cannot be read` }] } },
  );
}
