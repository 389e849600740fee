/**
 * How a page is reached: which tab, its CDP session, a look at it from an isolated world, foreign CDP clients, and
 * why a call lost it.
 */
export { type Attachment, Attachments, type EndReason, type Visitor } from './attachments.ts';
export { nearestCandidates } from './candidates.ts';
export type { CdpTarget } from './cdp-targets.ts';
export { readHandle } from './chromium-stream.ts';
export { whyLeft } from './left.ts';
export { Line } from './line.ts';
export {
  endBusyScript,
  endScript,
  lookIn,
  lookInto,
  PageBusyError,
  readinessOf,
  sessionOf,
  worldOf,
} from './look.ts';
export { dialogOpen, pageCrashed, unlessItEnds } from './page-fate.ts';
export type { PageSession } from './page-session.ts';
export { noTab, type PageTarget, tabOf, targetOf } from './page-target.ts';
export {
  captchaProgram,
  clipboardProgram,
  controlsProgram,
  dataProgram,
  drawingProgram,
  elementsProgram,
  gatherProgram,
  hitProgram,
  observeProgram,
  onwardProgram,
  ownHtmlProgram,
  pageCallbackProgram,
  pdfProgram,
  rehearsalProgram,
  scrapeProgram,
  secretFieldProgram,
  settlingProgram,
  smallDocumentProgram,
  stagingProgram,
  stirProgram,
  writerProgram,
} from './programs.ts';
export { useBrowser } from './use-browser.ts';
