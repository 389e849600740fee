/** Screenshots and PDFs of a page, for tabs, scripts and quick actions alike. */
export { type Captured, Captures } from './captures.ts';
export { printPdf } from './pdf.ts';
export { takeScreenshot } from './screenshot.ts';
