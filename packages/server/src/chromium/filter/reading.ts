/**
 * How much of a long message the filter reads. Most long ones carry what the filter only passes on, and that goes to Chromium as it
 * came; of the rest only addresses (which may be whole files) and what is dragged are long where they mean anything.
 */
import { openMethods } from './methods.ts';
import { ownMethods, ruledMethods } from './rules.ts';

export interface Reading {
  /** Of what is read. */
  mostBytes: number;
  /** Parameters that no rule looks into. */
  unread: ReadonlySet<string>;
}

const usual = 512 * 1024;
/** Chromium visits no longer one. */
const address = 2 * 1024 ** 2 + 64 * 1024;
const dragged = 8 * 1024 ** 2;

const mostBytes = new Map([
  ['Fetch.continueRequest', address],
  ['Input.dispatchDragEvent', dragged],
  ['Network.loadNetworkResource', address],
  ['Page.navigate', address],
  ['Target.createTarget', address],
]);

const unread = new Map([
  ['Fetch.continueRequest', new Set(['postData', 'headers'])],
  ['Page.printToPDF', new Set(['headerTemplate', 'footerTemplate'])],
]);

const nothing: ReadonlySet<string> = new Set();

/** Undefined: the method is refused, whatever its parameters are. */
export function readingOf(method: string): Reading | undefined {
  if (![ruledMethods, ownMethods, openMethods].some((known) => known.has(method))) return undefined;
  return { mostBytes: mostBytes.get(method) ?? usual, unread: unread.get(method) ?? nothing };
}
