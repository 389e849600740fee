/** From a reference to its element, and from a place on the page to a reference. */
import type { Running } from '../../browsers/browsers.ts';
import { observeProgram } from '../reach/reach.ts';
import { isRef, prefixIn, refsOf } from './tab-refs.ts';
import { lookThere, nodeThere, topWorld, type World, worldAt, worldBelow } from './worlds.ts';

interface ResolvedRef {
  /** As every client of the tab knows it. */
  backendNodeId: number;
  /** The frame that the element is in. */
  frameId: string;
}

const resolveMs = 5000;
const mostDepth = 6;

/** Undefined: no element has this reference, or no longer. */
export async function resolveRef(
  running: Running,
  tabId: string,
  ref: string,
): Promise<ResolvedRef | undefined> {
  if (!isRef(ref)) return undefined;
  const world = await worldOfRef(running, tabId, ref);
  const node = world && (await nodeThere(world, observeProgram.callLoaded('element', ref), resolveMs));
  return node && { backendNodeId: node.backendNodeId, frameId: world.frameId };
}

async function worldOfRef(running: Running, tabId: string, ref: string): Promise<World | undefined> {
  const top = await topWorld(running, tabId, resolveMs);
  const prefix = prefixIn(ref);
  if (prefix === '') return top;
  const address = refsOf(running, tabId).addressOf(prefix);
  // Where a frame was removed, there is no document any more.
  return address && worldAt(top, address, resolveMs).catch(() => undefined);
}

/** The reference of what can be operated at a place of the page, or else of what is seen there. */
export async function refAtPlace(
  running: Running,
  tabId: string,
  place: { x: number; y: number },
): Promise<string | undefined> {
  const refs = refsOf(running, tabId);
  let world = await topWorld(running, tabId, resolveMs);
  let at = place;
  let prefix = '';
  for (let depth = 0; depth < mostDepth; depth++) {
    const expression = observeProgram.call('refAt', prefix, prefix === '' ? refs.last : 0, at.x, at.y);
    const found = await lookThere(world, expression, resolveMs);
    if (!found) return undefined;
    if (prefix === '') refs.last = Math.max(refs.last, Number(found.last) || 0);
    if ('ref' in found) return isRef(found.ref) ? found.ref : undefined;
    const owner = await nodeThere(world, observeProgram.callLoaded('element', found.frame), resolveMs);
    if (owner?.frameId === undefined) return undefined;
    world = await worldBelow(world, owner.frameId, resolveMs);
    prefix = refs.prefixOf(world, found.frame);
    at = { x: found.x, y: found.y };
  }
  return undefined;
}
