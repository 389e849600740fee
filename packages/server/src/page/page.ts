/**
 * The door to what is done with a page: scripts, captures, reading, captchas, the view of a person, the screen for a model.
 */
export type { LogEntry } from '../runner/runner.ts';
export { type Captchas, detectCaptchas } from './captcha/captcha.ts';
export { type Captured, type Captures, printPdf, takeScreenshot } from './capture/capture.ts';
export type { Computers } from './computer/computer.ts';
export { Observations } from './observe/observe.ts';
export { openPages } from './open-pages.ts';
export {
  type Attachment,
  Attachments,
  endBusyScript,
  type PageTarget,
} from './reach/reach.ts';
export { scrape, TabScrapes } from './read/read.ts';
export { Scripts } from './script/script.ts';
export { TabCalls } from './tabs/tabs.ts';
export { type Frame, type Handoff, type View, Views } from './view/view.ts';
export { type Visit, visit } from './visit/visit.ts';
