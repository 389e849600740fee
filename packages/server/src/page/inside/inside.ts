/** What the service asks of a page and what the page gives, in the words of both sides. The service sees nothing else of it. */
import type { Scraped, ScrapeRequest } from '../read/schema.ts';

export interface Asked {
  form: 'markdown' | 'html' | 'text';
  mainContent: boolean;
  selector?: string;
  extract?: ScrapeRequest['extract'];
  include: ScrapeRequest['include'];
  from: number;
  most: number;
  shadow: boolean;
  ms: number;
}

export type Metadata = NonNullable<Scraped['metadata']>;
export type Extras = Pick<Scraped, 'links' | 'headings' | 'forms' | 'images' | 'tables' | 'metadata'>;

export interface Found {
  title: string;
  description: string;
  /** Addresses that are no page are shown by Chromium in a document of its own making. */
  kind: 'page' | 'json' | 'text' | 'xml' | 'image';
  content: string;
  /** Of the whole. */
  chars: number;
  /** The page was too large to be read whole. */
  cut: boolean;
  next?: number;
  url: string;
  statusCode?: number;
  extras: Extras;
  data?: Record<string, unknown>;
  facts: Metadata;
}

/** What became of a PDF that was given to a page. */
export type PdfOutcome = 'read' | 'encrypted' | 'broken';

export type Reading = Found | { nothing: true } | { badSelector: { path: string[]; selector: string } };
