/** One look at a tab, as text. */
import type { Running } from '../../browsers/browsers.ts';
import type { SeenPage } from '../inside/inside.ts';
import { targetOf } from '../reach/reach.ts';
import { inShare } from './in-share.ts';
import { readText } from './read-text.ts';
import { readTree } from './read-tree.ts';
import type { SeenAs, Wanted } from './schema.ts';
import { choose, condense, find, outline } from './write/write.ts';

export interface Read {
  text: string;
  /** The same without what scrolling changes: what another time is compared with. */
  stable: string;
  document: string;
  matches?: number;
  view?: SeenAs['view'];
  incomplete?: boolean;
}

export async function read(running: Running, tabId: string, asked: Wanted): Promise<Read> {
  const { kind, selector, timeoutMs: ms } = asked;
  if (kind === 'aria') return readOutline(running, tabId, asked);
  const { text, cut } = await readText(await targetOf(running, tabId), { form: kind, selector, ms });
  return { text, stable: text, document: '', incomplete: cut };
}

async function readOutline(running: Running, tabId: string, asked: Wanted): Promise<Read> {
  const { selector, scope, boxes, find: sought } = asked;
  const seen = await readTree(running, tabId, {
    selector,
    ref: scope,
    mark: sought?.css,
    boxes,
    ms: asked.timeoutMs,
  });
  const { scroll, viewport, document } = seen;
  const rest = {
    document,
    view: { ...viewport, scrollX: scroll.x, scrollY: scroll.y, maxX: scroll.maxX, maxY: scroll.maxY },
    incomplete: seen.cut === true,
  };
  return { ...(await inShare(running.projectId, () => written(seen, asked))), ...rest };
}

function written({ root }: SeenPage, asked: Wanted): Pick<Read, 'text' | 'stable' | 'matches'> {
  const { find: sought, urls, boxes } = asked;
  const tree = choose(condense(root), asked);
  if (sought) {
    const { text, matches } = find(tree, sought, { urls, boxes, places: true });
    return { text, stable: text, matches };
  }
  return { text: outline(tree, { urls, boxes, places: true }), stable: outline(tree, { urls, boxes }) };
}
