/**
 * Elements to which a page has added listeners for the mouse. A world of the service sees no listeners of the page's own, so
 * Chromium is asked for them; what it answers is as long as the page likes, and is read only where it is short.
 */
import type { Protocol } from 'devtools-protocol';
import { CdpError } from '../../browsers/browsers.ts';
import { observeProgram, smallDocumentProgram } from '../reach/reach.ts';
import { type World, worldsWith } from './worlds.ts';

const mouseEvents = new Set(
  'click dblclick mousedown mouseup pointerdown pointerup touchstart touchend contextmenu dragstart'.split(
    ' ',
  ),
);
const mostBytes = 3 * 1024 ** 2;
const mostTold = 2000;
const mostElements = 40_000;
/** Each reading has objects of its own, which end with it. */
let readings = 0;

/** Those that each world has been told of. */
const told = new WeakMap<object, Map<string, Set<number>>>();
const mostWorlds = 200;

function toldOf({ page: { cdp, sessionId }, contextId }: World): Set<number> {
  const worlds = told.get(cdp) ?? new Map<string, Set<number>>();
  told.set(cdp, worlds);
  const key = `${sessionId} ${contextId}`;
  const known = worlds.get(key) ?? new Set<number>();
  worlds.set(key, known);
  const [oldest] = worlds.keys();
  if (worlds.size > mostWorlds && oldest !== undefined) worlds.delete(oldest);
  return known;
}

/**
 * Tells the documents of one process of their elements. Chromium names those of frames with those of the document around them; told to
 * the wrong document, an element would be a stranger in its own. So frames come first, and what is theirs is left out later.
 * A page whose listeners cannot be had in time is read by what its elements look like.
 */
export async function tellListeners(root: World, ms: number): Promise<void> {
  const taken = new Set<number>();
  const until = performance.now() + ms;
  try {
    for (const world of (await worldsWith(root, ms)).toReversed()) {
      const left = until - performance.now();
      if (left <= 0 || !(await tellDocument(world, taken, left))) return;
    }
  } catch {
    // read without them
  }
}

/** False: what it has is not known. */
async function tellDocument(world: World, taken: Set<number>, ms: number): Promise<boolean> {
  const { cdp, sessionId } = world.page;
  const options = { sessionId, timeoutMs: ms };
  const objectGroup = `browserd listeners ${++readings}`;
  try {
    const document = await documentOf(world, objectGroup, ms);
    const named = document === undefined ? undefined : await listenersBelow(world, document, ms);
    if (!named) return false;
    const known = toldOf(world);
    const nodes = [...new Set(named)].filter((id) => !taken.has(id) && !known.has(id));
    for (const id of named) taken.add(id);
    if (nodes.length === 0) return true;
    const load = { expression: observeProgram.load(), contextId: world.contextId };
    await cdp.send('Runtime.evaluate', load, options);
    const work = nodes.slice(0, mostTold).map(async (id) => {
      if (await isTold(world, id, objectGroup, ms)) known.add(id);
    });
    await Promise.all(work);
    return true;
  } finally {
    void cdp.send('Runtime.releaseObjectGroup', { objectGroup }, options).catch(() => undefined);
  }
}

/**
 * The document as the page itself has it. Chromium compiles `onclick="…"` when it is asked for listeners, and if it is asked in a world
 * of the service, it hands that world the page's own wrapper of the element, which no method of the world accepts.
 * Undefined: there is too much in it.
 */
async function documentOf(
  { page, contextId }: World,
  objectGroup: string,
  ms: number,
): Promise<string | undefined> {
  const { cdp, sessionId } = page;
  const options = { sessionId, timeoutMs: ms };
  const expression = smallDocumentProgram.call('smallDocument', mostElements);
  const asked = { expression, contextId, objectGroup, timeout: ms };
  const { objectId } = (await cdp.send('Runtime.evaluate', asked, options)).result;
  if (objectId === undefined) return undefined;
  const { node } = await cdp.send('DOM.describeNode', { objectId }, options);
  const { backendNodeId } = node;
  return (await cdp.send('DOM.resolveNode', { backendNodeId, objectGroup }, options)).object.objectId;
}

/** False: it is to be tried again. */
async function isTold(
  { page: { cdp, sessionId }, contextId }: World,
  backendNodeId: number,
  objectGroup: string,
  ms: number,
): Promise<boolean> {
  const options = { sessionId, timeoutMs: ms };
  const asked = { backendNodeId, executionContextId: contextId, objectGroup };
  try {
    const { object } = await cdp.send('DOM.resolveNode', asked, options);
    const call = {
      functionDeclaration: observeProgram.methodLoaded('tellOfListener'),
      objectId: object.objectId,
      returnByValue: true,
    };
    await cdp.send('Runtime.callFunctionOn', call, options);
    return true;
  } catch (error) {
    return error instanceof CdpError;
  }
}

/** The answer is not parsed before its length is known. Undefined: it is too long, or did not come. */
function listenersBelow(
  { page: { cdp, sessionId } }: World,
  objectId: string,
  ms: number,
): Promise<number[] | undefined> {
  return new Promise((resolve) => {
    const params = { objectId, depth: -1, pierce: true };
    const command = { method: 'DOMDebugger.getEventListeners', params, sessionId };
    const sent = cdp.relay(
      command,
      (answer) => {
        clearTimeout(late);
        resolve(answer.length > mostBytes ? undefined : nodesIn(answer));
      },
      () => undefined,
    );
    const late = setTimeout(() => {
      if (sent) cdp.forget(sent.id);
      resolve(undefined);
    }, ms);
  });
}

function nodesIn(answer: Buffer): number[] {
  const { result } = JSON.parse(answer.toString()) as {
    result?: Protocol.DOMDebugger.GetEventListenersResponse;
  };
  return (result?.listeners ?? []).flatMap(({ type, backendNodeId }) =>
    mouseEvents.has(type) && backendNodeId !== undefined ? backendNodeId : [],
  );
}
