/** The program that reads a page, from its document to what the service asked for. */
import { embedded, isEmbed } from './embeds.ts';
import type { Asked, Found, Reading } from './inside.ts';
import { copyShown } from './page-copy.ts';
import { aboutPage, orNoSelector, partOf, titleOf } from './page-facts.ts';
import { pdfHere } from './pdf-mark.ts';
import { allIn, textOf, theBody } from './pristine.ts';
import { cutAt, writeDown } from './writing.ts';

const frames = new WeakMap<Element, string>();
/** Whether the frame that this element shows is read with the page, all frames or not. */
export const isPart = (element: Element): boolean => isEmbed(element);

/** Called from outside before the page around a frame is read. */
export const setFrame = (element: Element, html: string): void => void frames.set(element, html);

function read(asked: Asked): Found | { nothing: true } {
  const part = partOf(asked.selector);
  if (!part) return { nothing: true };
  const { roots, plain } = part;
  const about = aboutPage(roots, asked);
  if (plain) return { ...about, kind: plain.kind, cut: false, ...cutAt(plain.text, asked.from, asked.most) };
  const { page, cut } = copyShown(roots, { ...asked, frames });
  const pdf = pdfHere();
  const whole = !asked.mainContent || asked.selector !== undefined || pdf !== undefined;
  const written = writeDown(page, { ...asked, title: whole ? undefined : titleOf() });
  return { ...about, kind: 'page', cut: cut || pdf?.cut === true, ...written };
}

export function scrape(asked: Asked): Reading {
  if (!asked.framesRead && allIn(embedded).length > 0) return { framesFirst: true };
  return orNoSelector(() => read(asked));
}

/** The text alone; null where nothing matches, or the selector is none. */
export function content(asked: Asked): { text: string; cut: boolean } | null {
  const reading = scrape(asked);
  return 'content' in reading ? { text: reading.content, cut: reading.cut } : null;
}

/** A frame's part of the page around it. */
export function frameHtml(shadow: boolean, ms: number): string {
  const body = theBody(document);
  // Without a style there is no box: the frame itself is not shown.
  if (!body || !getComputedStyle(body).display) return '';
  const { page } = copyShown([body], { shadow, ms, frames });
  return textOf(page.body)?.trim() ? page.body.innerHTML : '';
}
