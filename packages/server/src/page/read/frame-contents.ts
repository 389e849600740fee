/**
 * Frames read like the page around them, from the innermost out: each gives its part to the element that shows it.
 * One from another site lives in another process, behind a session of its own.
 */
import type { Protocol } from 'devtools-protocol';
import { lookInto, type PageSession, scrapeProgram, worldOf } from '../reach/reach.ts';

const mostFrames = 50;
const deepest = 8;

export interface Wanted {
  /** Otherwise only those that are part of the text around them. */
  all: boolean;
  shadow: boolean;
  timeoutMs: number;
}

interface Visit extends Wanted {
  page: PageSession;
  /** How many more may be read, in all. */
  more: { frames: number };
  foreign: Protocol.Target.TargetInfo[];
}

export async function framesInto(page: PageSession, wanted: Wanted): Promise<void> {
  const options = { sessionId: page.sessionId, timeoutMs: wanted.timeoutMs };
  const [{ frameTree }, { targetInfos }] = await Promise.all([
    page.cdp.send('Page.getFrameTree', undefined, options),
    page.cdp.send('Target.getTargets', { filter: [{ type: 'iframe' }] }),
  ]);
  await fill(frameTree, { ...wanted, page, more: { frames: mostFrames }, foreign: targetInfos }, 0);
}

/** Puts the contents of the frames below into this one. */
async function fill(tree: Protocol.Page.FrameTree, visit: Visit, depth: number): Promise<void> {
  if (depth >= deepest) return;
  for (const child of tree.childFrames ?? []) {
    if (visit.more.frames-- <= 0) return;
    await put(tree.frame.id, child.frame.id, visit, async () => {
      await fill(child, { ...visit, all: true }, depth + 1);
      return htmlOf(visit.page, visit, child.frame.id);
    });
  }
  for (const { targetId } of visit.foreign.filter(({ parentFrameId }) => parentFrameId === tree.frame.id)) {
    if (visit.more.frames-- <= 0) return;
    await put(tree.frame.id, targetId, visit, () => foreignHtml(targetId, visit, depth));
  }
}

const htmlOf = (page: PageSession, { shadow, timeoutMs }: Visit, frameId?: string): Promise<string> =>
  lookInto(page, scrapeProgram.call('frameHtml', shadow, timeoutMs), timeoutMs, frameId);

async function foreignHtml(targetId: string, visit: Visit, depth: number): Promise<string> {
  const { cdp } = visit.page;
  const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: true });
  try {
    const page = { cdp, sessionId };
    const { frameTree } = await cdp.send('Page.getFrameTree', undefined, {
      sessionId,
      timeoutMs: visit.timeoutMs,
    });
    await fill(frameTree, { ...visit, page, all: true }, depth + 1);
    return await htmlOf(page, visit);
  } finally {
    await cdp.send('Target.detachFromTarget', { sessionId }).catch(() => undefined);
  }
}

/** A frame that is gone, empty or busy is left out. */
async function put(
  parent: string,
  frameId: string,
  visit: Visit,
  read: () => Promise<string>,
): Promise<void> {
  const { cdp, sessionId } = visit.page;
  const options = { sessionId, timeoutMs: visit.timeoutMs };
  try {
    const contextId = await worldOf(visit.page, visit.timeoutMs, parent);
    await cdp.send('DOM.enable', undefined, options);
    const { backendNodeId } = await cdp.send('DOM.getFrameOwner', { frameId }, options);
    const { object } = await cdp.send(
      'DOM.resolveNode',
      { backendNodeId, executionContextId: contextId },
      options,
    );
    const tell = async (name: 'isPart' | 'setFrame', ...values: string[]): Promise<unknown> => {
      const call = {
        functionDeclaration: scrapeProgram.method(name),
        objectId: object.objectId,
        arguments: values.map((value) => ({ value })),
        returnByValue: true,
      };
      return (await cdp.send('Runtime.callFunctionOn', call, options)).result.value;
    };
    if (visit.all || (await tell('isPart'))) await tell('setFrame', await read());
  } catch {
    // the page is read without it
  }
}
