/** What is measured of a document, and done to it, before it is captured. */

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** All lengths are CSS pixels, all places counted from the top left corner of the page. */
export interface Measures {
  /** Device pixels per CSS pixel. */
  scale: number;
  /** What shows at this moment. */
  view: Box;
  page: { width: number; height: number };
  element?: Box;
}

export type Measured =
  | (Omit<Measures, 'element'> & { element?: Box & { moved: boolean } })
  | { wrong: string }
  | { missing: true }
  | { unseen: true };

/** drawing.ts: a document before it is captured. */
export interface DrawingProgram {
  /** 0: not at all. */
  whenFontsAreThere(ms: number): Promise<void>;
  keepFonts(addresses: string[]): Promise<number | undefined>;
  letFontsGo(): void;
  measure(fontsMs: number, selector?: string): Promise<Measured>;
  measureAtOnce(): Measured | undefined;
  boxesOf(selectors: string[], most: number): Box[] | { wrong: string };
  /** Undoes what had to be scrolled to measure an element. */
  scrollBack(): void;
}

/** In the viewport, or why there is none. */
export type ClickPlace = { x: number; y: number } | 'bad' | 'missing' | 'unseen';

/** What one screen of a document is like while it is scrolled through. */
export interface Screen {
  /** There is nothing below it. */
  end: boolean;
  /** A picture on it is being fetched. */
  waits: boolean;
  /** Milliseconds since the last change of the document. */
  stillFor: number;
}

/** staging.ts: what is done to a document for a capture of it. */
export interface StagingProgram {
  dress(rules: string[], hidden: string[], removed: string[]): true | { wrong: string };
  undress(): void;
  matches(selector: string): boolean | 'bad';
  placeToClick(selector: string): ClickPlace;
  showScreen(number: number): void;
  screen(): Screen;
  scrolledBack(): void;
}
