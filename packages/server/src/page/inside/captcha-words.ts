/** What is seen of the captchas in a document, and what is done to them by their numbers. */
import type { CaptchaType } from '../captcha/schema.ts';
import type { Box } from './capture-words.ts';

export interface CaptchaFound {
  /** Of the element, in the document it was seen in. */
  number: number;
  type: CaptchaType;
  sitekey?: string;
  blocking: boolean;
  /** Tells one response from another; absent while there is none. */
  response?: string;
  /** What the widget itself shows; absent where it does not say. */
  verified?: boolean;
  /** Showing it is enough: the widget has no field of its own. */
  confirmed: boolean;
  /** The field of an image has text in it. */
  typed: boolean;
  working: boolean;
  /** It may clear without any input. */
  automatic: boolean;
  invisible: boolean;
  clickable: boolean;
  inForm: boolean;
  problem?: string;
  frameUrl?: string;
  seen: string[];
  callback?: string;
  action?: string;
  hasField: boolean;
}

export interface CaptchaLook {
  ready: boolean;
  frames: number;
  /** Something in the document shows success. */
  verified: boolean;
  items: CaptchaFound[];
}

/** captcha/captcha.ts: finds captchas, and acts on those it has found, by their numbers. Places count from the corner of the frame. */
export interface CaptchaProgram {
  look(): CaptchaLook;
  target(number: number): (Box & { atLeft: boolean }) | undefined;
  picture(number: number): Box | undefined;
  clear(number: number): void;
  /** Writes into every field of these names that the widget has, and gives how many there were. */
  answer(number: number, names: string[], value: string): number;
  /** As `response` would be for this answer. */
  mark(answer: string): string;
  /** The element itself. */
  root(number: number): unknown;
}

/** captcha/page-callback.ts: in the page's own world. */
export interface PageCallbackProgram {
  /** Calls the function that the page gave to the widget; false when there is none. */
  tellPage(answer: string, name: string | null): boolean;
}
