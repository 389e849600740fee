/**
 * Structured data of a page, in the words of both sides: the service sends what the caller's JSON Schema wants, already
 * checked and without references, and gets values of those types and what stayed without one.
 */

/** Where a value was found, in the order in which they are asked. `json`: the address itself is JSON. */
export const dataSources = [
  ...(['selector', 'json', 'jsonLd', 'microdata', 'rdfa', 'table', 'definitionList'] as const),
  ...(['openGraph', 'twitter', 'meta'] as const),
] as const;
export type DataSource = (typeof dataSources)[number];

export type Scalar = string | number | boolean;

export interface WantedProperty {
  name: string;
  required: boolean;
  wanted: Wanted;
}

/** One schema of the caller's. */
export interface Wanted {
  type: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array';
  /** Null stands where nothing was found. */
  nullable: boolean;
  /** Looked for before the name of the property. */
  names: string[];
  /** What kind of thing the page calls it, such as `Product`. */
  kind?: string;
  /** CSS; of an object or a list, what holds it. */
  selector?: string;
  attribute?: string;
  /** Where in the caller's schema this stands. */
  path: string[];
  choices?: Scalar[];
  format?: string;
  pattern?: string;
  /** Of a text its length, of a list its items, of a number its value. */
  least?: number;
  most?: number;
  /** The number itself is left out. */
  above?: number;
  below?: number;
  multipleOf?: number;
  unique?: boolean;
  properties: WantedProperty[];
  items?: Wanted;
}

export interface Filled {
  data: Record<string, unknown>;
  /** JSON pointers into `data`. */
  unfilled: string[];
  /** Those of them that the schema requires. */
  missing: string[];
  /** By JSON pointer; a list of things has one for all. */
  sources: Record<string, DataSource>;
}

/** data/data.ts: fills a schema from what the document says to machines. */
export interface DataProgram {
  fill(wanted: Wanted, ms: number): Filled | { badSelector: { path: string[]; selector: string } };
}
