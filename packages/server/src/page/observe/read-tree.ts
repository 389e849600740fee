/** Reads a tab as one tree, frames of all processes included. */
import type { Running } from '../../browsers/browsers.ts';
import type { SeenPage } from '../inside/observe/node.ts';

export interface ReadTree {
  /** Only what is in the first element that this CSS selector matches, in the page or in one of its open shadow trees. */
  selector?: string;
  /** Only what is in the element that has this reference. */
  ref?: string;
  /** Elements that match this CSS selector get a reference and are marked. */
  mark?: string;
  /** Every node gets a reference, not only those that an agent is likely to need. */
  allRefs?: boolean;
  /** Every node gets its box. */
  boxes?: boolean;
  /** How long the reading may take. */
  ms: number;
}

export async function readTree(_running: Running, _tabId: string, _asked: ReadTree): Promise<SeenPage> {
  throw new Error('not there yet');
}
