/** What the programs that read a document are asked, and what they find: its text, its lists, its data. */
import type { Scraped, ScrapeRequest } from '../read/schema.ts';

export interface Asked {
  form: 'markdown' | 'html' | 'text';
  mainContent: boolean;
  selector?: string;
  extract?: ScrapeRequest['extract'];
  include: ScrapeRequest['include'];
  from: number;
  most: number;
  citations: boolean;
  shadow: boolean;
  /** The frames that are part of the text have been read, or are not wanted. */
  framesRead: boolean;
  ms: number;
}

export type Metadata = NonNullable<Scraped['metadata']>;
export type Extras = Pick<Scraped, 'links' | 'headings' | 'forms' | 'images' | 'tables' | 'metadata'>;

/** What a page says besides its text. */
export interface About {
  title: string;
  description: string;
  url: string;
  statusCode?: number;
  extras: Extras;
  data?: Record<string, unknown>;
  facts: Metadata;
}

/** How the text of a page is to be written down. */
export interface Writing extends Pick<Asked, 'form' | 'citations' | 'from' | 'most'> {
  /** Of the page, where only the part that a reader came for is wanted: a heading that repeats it is left out. */
  title?: string;
}

export interface Written {
  content: string;
  /** Of the whole. */
  chars: number;
  next?: number;
}

interface Read extends About {
  /** Addresses that are no page are shown by Chromium in a document of its own making. */
  kind: 'page' | 'json' | 'text' | 'xml' | 'image';
  /** The page was too large to be read whole. */
  cut: boolean;
}

export interface Found extends Read, Written {}

export interface NoSelector {
  badSelector: { path: string[]; selector: string };
}

/** `framesFirst`: the page has frames that are part of its text. */
export type Reading = Found | { framesFirst: true } | { nothing: true } | NoSelector;

/** A page whose text is still to be written. */
export interface Unwritten extends Read {
  /** As its author wrote it; `title` is for readers. */
  pageTitle: string;
  /** Its copy, as JSON. */
  branches: string;
}

/** `here`: only a program in the page itself can read it, or it is so large that it should. */
export type Gathered = Unwritten | { here: true } | { nothing: true } | NoSelector;

/** gather.ts: the document as a copy of what it shows, with its lists and data. */
export interface GatherProgram {
  gather(asked: Asked): Gathered;
}

/** writer.ts: what the copy of another page says. */
export interface WriterProgram {
  write(branches: string, pageTitle: string, writing: Writing): Written;
}

/** scrape.ts: the document as text, lists and data. */
export interface ScrapeProgram {
  scrape(asked: Asked): Reading;
  /** Null where nothing matches. */
  content(asked: Asked): { text: string; cut: boolean } | null;
  /** Whether this element shows a frame that is part of the text, such as a post of another site. */
  isPart(element: never): boolean;
  /** A frame's part of the page around it. */
  frameHtml(shadow: boolean, ms: number): string;
  /** Called before the page around a frame is read, with the element that shows the frame. */
  setFrame(element: never, html: string): void;
}
