/**
 * The documents of a tab, wherever they run, and the world of the service in each. Elements keep their references in that world,
 * and Chromium gives each session worlds of its own: so the sessions of frames in other processes are kept as long as those live.
 */
import type { Protocol } from 'devtools-protocol';
import type { Cdp, Running } from '../../browsers/browsers.ts';
import type { Expression } from '../../kit/page-program.ts';
import { lookIn, type PageSession, targetOf, worldOf } from '../reach/reach.ts';

export interface World {
  page: PageSession;
  contextId: number;
  frameId: string;
  /** The target of its session, where that is not the tab's. */
  holder?: string;
}

/** Where a document with references was last seen. */
export interface Address {
  frameId: string;
  holder?: string;
  /** The reference of the frame's element in the document around it. */
  around: string;
}

const objectGroup = 'browserd observe';

/** Sessions of frames in other processes, by their targets. */
class FrameSessions {
  readonly #cdp: Cdp;
  readonly #open = new Map<string, Promise<string>>();

  constructor(cdp: Cdp) {
    this.#cdp = cdp;
    cdp.on('Target.detachedFromTarget', ({ sessionId }) => {
      for (const [targetId, open] of this.#open)
        void open.then((own) => own === sessionId && this.#open.delete(targetId)).catch(() => undefined);
    });
  }

  of(targetId: string): Promise<string> {
    const known = this.#open.get(targetId);
    if (known) return known;
    const opened = this.#cdp
      .send('Target.attachToTarget', { targetId, flatten: true })
      .then(({ sessionId }) => sessionId);
    this.#open.set(targetId, opened);
    opened.catch(() => this.#open.delete(targetId));
    return opened;
  }
}

const sessions = new WeakMap<Cdp, FrameSessions>();

function sessionsOf(cdp: Cdp): FrameSessions {
  const known = sessions.get(cdp);
  if (known) return known;
  const made = new FrameSessions(cdp);
  sessions.set(cdp, made);
  return made;
}

/** The document of the tab itself. */
export async function topWorld(running: Running, tabId: string, ms: number): Promise<World> {
  const { cdp, sessionId, targetId } = await targetOf(running, tabId);
  const page = { cdp, sessionId };
  return { page, contextId: await worldOf(page, ms, targetId), frameId: targetId };
}

/** The document of a frame in this one: in the same process, or in another. */
export async function worldBelow({ page, holder }: World, frameId: string, ms: number): Promise<World> {
  try {
    return { page, contextId: await worldOf(page, ms, frameId), frameId, holder };
  } catch {
    return heldWorld(page.cdp, frameId, frameId, ms);
  }
}

/** The document that is where another one was. */
export async function worldAt({ page }: World, { frameId, holder }: Address, ms: number): Promise<World> {
  if (holder !== undefined) return heldWorld(page.cdp, holder, frameId, ms);
  return { page, contextId: await worldOf(page, ms, frameId), frameId };
}

async function heldWorld(cdp: Cdp, holder: string, frameId: string, ms: number): Promise<World> {
  const page = { cdp, sessionId: await sessionsOf(cdp).of(holder) };
  return { page, contextId: await worldOf(page, ms, frameId), frameId, holder };
}

export const lookThere = <T>({ page, contextId }: World, expression: Expression<T>, ms: number): Promise<T> =>
  lookIn(page, () => contextId, expression, ms);

/** The node that the expression gives; undefined: it gives none. */
export async function nodeThere(
  { page: { cdp, sessionId }, contextId }: World,
  expression: Expression<unknown>,
  ms: number,
): Promise<{ backendNodeId: number; frameId?: string } | undefined> {
  const options = { sessionId, timeoutMs: ms };
  const asked = { expression, contextId, objectGroup, timeout: ms };
  const { result } = await cdp.send('Runtime.evaluate', asked, options);
  if (result.objectId === undefined || result.subtype !== 'node') return undefined;
  try {
    const { node } = await cdp.send('DOM.describeNode', { objectId: result.objectId }, options);
    return { backendNodeId: node.backendNodeId, frameId: node.frameId };
  } finally {
    void cdp.send('Runtime.releaseObject', { objectId: result.objectId }, options).catch(() => undefined);
  }
}

/** Another one for each document that the frame shows. */
export async function loaderOf({ page: { cdp, sessionId } }: World, ms: number): Promise<string> {
  const { frameTree } = await cdp.send('Page.getFrameTree', undefined, { sessionId, timeoutMs: ms });
  return frameTree.frame.loaderId;
}

const mostFrames = 50;

/** The worlds of this document and of the frames in it that its session reaches, each after the one around it. */
export async function worldsWith(root: World, ms: number): Promise<World[]> {
  const { page, holder } = root;
  const { frameTree } = await page.cdp.send('Page.getFrameTree', undefined, {
    sessionId: page.sessionId,
    timeoutMs: ms,
  });
  const idsIn = ({ frame, childFrames = [] }: Protocol.Page.FrameTree): string[] => [
    frame.id,
    ...childFrames.flatMap(idsIn),
  ];
  const frameIds = idsIn(frameTree);
  if (frameIds.length > mostFrames) return [];
  return Promise.all(
    frameIds.map(async (frameId) => ({ page, contextId: await worldOf(page, ms, frameId), frameId, holder })),
  );
}
