/**
 * The program that finds captchas and acts on them. The elements of the last look stay here, under the numbers that the
 * service has of them. Places are counted from the corner of the frame.
 */
import type { Box, CaptchaLook } from '../inside.ts';
import { formOf, markOf, rectOf, tag } from './dom.ts';
import type { Item } from './item.ts';
import { lookAround } from './look.ts';
import { Tree } from './tree.ts';

let items: Item[] = [];

export function look(): CaptchaLook {
  const { items: found, seen } = lookAround();
  items = found;
  return seen;
}

function boxOf(element: Element): Box {
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const { left, top, width, height } = rectOf(element);
  return { x: left, y: top, width, height };
}

/** As the page's own scripts see it: the value, and the events of a person's typing. */
function write(field: Element, value: string): void {
  const { prototype } = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
}

/** Frames and bare boxes have their check box on the left. */
export function target(number: number): (Box & { atLeft: boolean }) | undefined {
  const element = items[number]?.target;
  if (!element) return undefined;
  const name = tag(element);
  return { ...boxOf(element), atLeft: ['iframe', 'div'].includes(name) || name.includes('-') };
}

export function picture(number: number): Box | undefined {
  const element = items[number]?.picture;
  return element && boxOf(element);
}

export function clear(number: number): void {
  const field = items[number]?.field;
  if (field) write(field, '');
}

export function answer(number: number, names: string[], value: string): number {
  const item = items[number];
  if (!item) return 0;
  const { root, field } = item;
  const tree = new Tree();
  const selector = names.map((name) => `[name="${CSS.escape(name)}"]`).join(', ');
  const around = formOf(root);
  const named = selector
    ? [...tree.findIn(root, selector), ...(around ? tree.findIn(around, selector) : tree.find(selector))]
    : [];
  const fields = new Set([...(field ? [field] : []), ...named]);
  for (const each of fields) write(each, value);
  return fields.size;
}

export const mark = (text: string): string => markOf(text);

export const root = (number: number): Element | undefined => items[number]?.root;
