/**
 * What an observation of a page is made of, in the words of both sides: the program in the page builds these nodes, and
 * the service puts the trees of all frames together, cuts them and writes them down.
 */

/** One thing on the page that an agent can see or operate. */
export interface SeenNode {
  /** An ARIA role, or what has none: text | generic | canvas | svg | iframe | video … */
  role: string;
  name?: string;
  /** `e12`, in a frame `f2e12`. Of whatever can be operated, of what holds other things, and of what was asked for. */
  ref?: string;
  /** What a field, a slider or a list has been set to. */
  value?: string;
  /** checked, mixed, pressed, disabled, expanded, collapsed, selected, required, invalid, readonly, focused, scrollable, `covered by e9` … */
  states?: string[];
  /** url, placeholder, title, description, error (a validation message), hint (of a canvas, an SVG, an icon), cursor … */
  notes?: Record<string, string>;
  /** Of a heading, or of an item of a tree. */
  level?: number;
  /** Left, top, width, height in the viewport of the page, in whole CSS pixels. */
  box?: [number, number, number, number];
  /** It can be operated. */
  interactive?: true;
  /** Part of it lies within the view. */
  inView?: true;
  /** Where it lies when no part of it is in the view. `scrolled out`: a box around it would have to be scrolled. */
  place?: 'above' | 'below' | 'left' | 'right' | 'scrolled out';
  /** It matches the selector that was asked to be marked. */
  marked?: true;
  children: (SeenNode | string)[];
}

export interface SeenPage {
  root: SeenNode;
  scroll: { x: number; y: number; maxX: number; maxY: number };
  viewport: { width: number; height: number };
  /** Another one for each new document of the tab. */
  document: string;
  title: string;
  /** The page was too large, or too slow, to be read whole. */
  cut?: true;
}

/** How one document is to be read. Lengths are CSS pixels of the document's own viewport. */
export interface ReadAsked {
  /** Of the document's references. The service names a document once; later names have no effect. */
  prefix: string;
  /** The numbers up to this one have been given to earlier documents. */
  after: number;
  selector?: string;
  ref?: string;
  mark?: string;
  allRefs?: boolean;
  boxes?: boolean;
  /** Where the corner of the document lies in the viewport of the page. */
  corner: { x: number; y: number };
  /** What of the document is in the view. */
  view: { left: number; top: number; right: number; bottom: number };
  ms: number;
}

/** A document as its program tells it. */
export interface ReadDocument extends Omit<SeenPage, 'document'> {
  prefix: string;
  last: number;
  /** Frames whose documents are to be put into the tree: the reference of each, and the corner of its document. */
  frames: (FrameBox & { ref: string })[];
}

/** Where the document of a frame lies in the viewport of the document around it. */
export interface FrameBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type ReadAnswer = ReadDocument | { missing: true } | { wrong: string };

/** What lies at a place: its reference, or the frame to look into. */
export type RefAt = { last: number } & ({ ref: string } | { frame: string; x: number; y: number });

/** observe.ts: the document as a tree of what can be seen and operated. */
export interface ObserveProgram {
  /** As JSON: Chromium refuses to hand over trees that are deep. */
  read(asked: ReadAsked): string;
  /** Null: no element has it any more. */
  element(ref: string): unknown;
  /** The page has added a listener for the mouse to this element. */
  tellOfListener(element: never): void;
  /** Null: no frame has this reference. */
  frame(ref: string): FrameBox | null;
  view(): Pick<SeenPage, 'scroll' | 'viewport'>;
  refAt(prefix: string, after: number, x: number, y: number): RefAt | null;
}
