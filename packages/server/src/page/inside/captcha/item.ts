/** A captcha of the document, with its elements. */
import type { CaptchaType } from '../../captcha/schema.ts';

export interface Item {
  type: CaptchaType;
  /** The element that stands for the captcha. */
  root: Element;
  /** Where its response, or what is typed, goes. */
  field?: Element;
  frame?: Element;
  picture?: Element;
  /** What a person would click. */
  target?: Element;
  sitekey?: string;
  /** Its response. */
  value: string;
  verified?: boolean;
  confirmed?: boolean;
  typed?: boolean;
  working?: boolean;
  automatic?: boolean;
  invisible?: boolean;
  problem?: string;
  /** The elements that showed it, in words. */
  seen: string[];
}
