import type { Readable } from 'node:stream';
import { type Emulation, type Guest, type Guests, guestCrashed } from '../browsers/browsers.ts';
import { ApiError } from '../errors.ts';
import type { Events } from '../events/events.ts';
import { newId } from '../kit/id.ts';
import { printPdf, scrapePage, takeScreenshot, type Visit, visit } from '../page/page.ts';
import type { QuickPdf, QuickRequest, QuickScrape, QuickScreenshot, Scraped } from './schema.ts';

/**
 * One request, one page, the result: a guest is borrowed, does its work, and always leaves, also when the time is over,
 * the caller has gone or Chromium has ended.
 *
 *   borrow ─> visit ─> scrape | screenshot | PDF ─> answer        leave, in any case, without making the caller wait
 */
export interface QuickParts {
  guests: Guests;
  events: Events;
}

export interface Caller {
  projectId: string;
  /** It has hung up. */
  gone: AbortSignal;
  /** How long it waits in line for capacity. */
  waitMs?: number;
}

type Action = 'scrape' | 'screenshot' | 'pdf';

/** What was made of the page, and where it was. */
export interface Made<T> {
  result: T;
  visit: Visit;
}

const defaultViewport = { width: 1280, height: 720, deviceScaleFactor: 1 };

export class Quick {
  readonly #parts: QuickParts;

  constructor(parts: QuickParts) {
    this.#parts = parts;
  }
}
