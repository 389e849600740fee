/**
 * The door to what is done with a page: scripts, captures, reading, captchas, the view of a person, the screen for a model.
 */
export type { LogEntry } from '../runner/runner.ts';
export { type Captchas, detectCaptchas } from './captcha/captcha.ts';
export {
  aheadOf,
  type Captured,
  type CapturedElement,
  type CapturedPicture,
  type Captures,
  type ComparedCapture,
  type ElementPicture,
  pictureAtRest,
  printAtRest,
  printPdf,
  takePicture,
  takeSeveral,
} from './capture/capture.ts';
export type { Computers } from './computer/computer.ts';
export { Observations } from './observe/observe.ts';
export { openPages } from './open-pages.ts';
export { type Compared, Pixels, type Taken } from './pixels/pixels.ts';
export {
  type Attachment,
  Attachments,
  type CdpTarget,
  endBusyScript,
  type PageTarget,
  type Visitor,
} from './reach/reach.ts';
export { gatheringFor, type Onward, readOnward, scrape, TabScrapes } from './read/read.ts';
export {
  addEarlyScripts,
  asksForReadiness,
  judge,
  makeReady,
  type SeenFaults,
  watchFaults,
} from './ready/ready.ts';
export { Scripts } from './script/script.ts';
export { TabCalls } from './tabs/tabs.ts';
export { type Frame, type Handoff, type View, Views } from './view/view.ts';
export {
  type Asset,
  type AtRest,
  type FetchedFile,
  fetchFile,
  type KnownDocument,
  NotModified,
  readAssets,
  rehearse,
  type Visit,
  visit,
} from './visit/visit.ts';
