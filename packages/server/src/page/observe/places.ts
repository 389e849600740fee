/** Where the documents of a tab lie in each other, and which of them a reference belongs to. */
import type { Running } from '../../browsers/browsers.ts';
import type { FrameBox, ReadAsked } from '../inside/inside.ts';
import { observeProgram } from '../reach/reach.ts';
import { prefixIn, refsOf } from './tab-refs.ts';
import { lookThere, topWorld, type World, worldAt } from './worlds.ts';

export interface Place extends Required<Pick<ReadAsked, 'corner' | 'view'>> {
  world: World;
}

/** A document in a frame of the document at `outer`. */
export const placeBelow = (
  { corner, view }: Place,
  { x, y, width, height }: FrameBox,
  world: World,
): Place => ({
  world,
  corner: { x: corner.x + x, y: corner.y + y },
  view: {
    left: Math.max(view.left, x) - x,
    top: Math.max(view.top, y) - y,
    right: Math.min(view.right, x + width) - x,
    bottom: Math.min(view.bottom, y + height) - y,
  },
});

export async function topPlace(running: Running, tabId: string, ms: number): Promise<Place> {
  const world = await topWorld(running, tabId, ms);
  const { viewport } = await lookThere(world, observeProgram.call('view'), ms);
  return {
    world,
    corner: { x: 0, y: 0 },
    view: { left: 0, top: 0, right: Number(viewport.width), bottom: Number(viewport.height) },
  };
}

/** The document whose references begin so; undefined: it is gone. */
export async function placeOf(
  top: Place,
  running: Running,
  tabId: string,
  prefix: string,
  ms: number,
): Promise<Place | undefined> {
  if (prefix === '') return top;
  const address = refsOf(running, tabId).addressOf(prefix);
  const outer = address && (await placeOf(top, running, tabId, prefixIn(address.around), ms));
  const box = outer && (await lookThere(outer.world, observeProgram.callLoaded('frame', address.around), ms));
  if (!box) return undefined;
  return placeBelow(outer, box, await worldAt(top.world, address, ms));
}
