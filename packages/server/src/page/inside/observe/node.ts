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
  /** checked, mixed, pressed, disabled, expanded, collapsed, selected, required, invalid, readonly, focused, scrollable, `covered by e9`, `above the view` … */
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
