/** Screenshots and PDFs of a page, for tabs, scripts and quick actions alike. */
export { type Captured, type CapturedElement, Captures } from './captures.ts';
export { printPdf } from './pdf.ts';
export { takeScreenshot } from './screenshot.ts';
export { type ElementPicture, takeSeveral } from './several.ts';
