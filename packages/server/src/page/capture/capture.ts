/** Screenshots and PDFs of a page, for tabs, scripts and quick actions alike. */
export {
  type Captured,
  type CapturedElement,
  type CapturedPicture,
  Captures,
  type ComparedCapture,
} from './captures.ts';
export { printAtRest, printPdf } from './pdf.ts';
export { aheadOf, pictureAtRest, takePicture } from './screenshot.ts';
export { type ElementPicture, takeSeveral } from './several.ts';
