/**
 * The frames of a page, wherever they run:
 *
 *   page.sessionId ── frames of the page's own process
 *   a session of ours ── setAutoAttach ──> one session for each frame in another process, and below it again
 *
 * The second is opened only when there are such frames. What is asked of a frame runs in an isolated world, for a
 * limited time; a frame that does not answer is left out.
 */
import type { Cdp } from '../../browsers/browsers.ts';
import type { Expression } from '../../kit/page-program.ts';
import type { PageTarget } from '../reach/reach.ts';

export interface Frame {
  readonly sessionId: string;
  readonly frameId: string;
  /** Of the document it shows. */
  readonly loaderId: string;
  readonly url: string;
  readonly parentId?: string;
}

interface Tree {
  frame: { id: string; loaderId: string; url: string; parentId?: string };
  childFrames?: Tree[];
}

const worldName = 'browserd';
const lookMs = 3000;
const mostFrames = 60;

export class PageFrames implements AsyncDisposable {
  readonly page: PageTarget;
  readonly #cdp: Cdp;
  /** Sessions of frames in other processes, with the session above each. */
  readonly #others = new Map<string, string>();
  #own: Promise<void> | undefined;
  #session: string | undefined;
  #off: (() => void)[] = [];

  constructor(page: PageTarget) {
    this.page = page;
    this.#cdp = page.cdp;
  }

  /** The main frame first. */
  async list(): Promise<Frame[]> {
    const sessions = [this.page.sessionId, ...this.#others.keys()];
    const trees = await Promise.all(sessions.map((sessionId) => this.#tree(sessionId)));
    return trees.flat().slice(0, mostFrames);
  }

  /** From now on the frames of other processes are among the list. */
  async reachOthers(): Promise<void> {
    this.#own ??= this.#open();
    await this.#own;
  }

  async evaluate<T>(frame: Frame, expression: Expression<T>): Promise<T> {
    const { result, exceptionDetails } = await this.#run(frame, expression, true);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as T;
  }

  /** Calls a function of the page's own world with `this` as the element that the expression names. */
  async callInPage<T>(
    frame: Frame,
    element: string,
    declaration: string,
    given: unknown[],
  ): Promise<T | undefined> {
    const options = { sessionId: frame.sessionId, timeoutMs: lookMs };
    const { result } = await this.#run(frame, element, false);
    if (!result.objectId) return undefined;
    const { node } = await this.#cdp.send('DOM.describeNode', { objectId: result.objectId }, options);
    const { backendNodeId } = node;
    const { object } = await this.#cdp.send('DOM.resolveNode', { backendNodeId }, options);
    const called = await this.#cdp.send(
      'Runtime.callFunctionOn',
      {
        objectId: object.objectId,
        functionDeclaration: declaration,
        arguments: given.map((value) => ({ value })),
        returnByValue: true,
        awaitPromise: false,
      },
      options,
    );
    return called.exceptionDetails ? undefined : (called.result.value as T);
  }

  /** Where the corner of a frame lies in the viewport of the page. */
  async cornerOf(frame: Frame, all: Frame[]): Promise<{ x: number; y: number }> {
    let corner = { x: 0, y: 0 };
    for (let at = frame; at.parentId !== undefined; ) {
      const parent = all.find(({ frameId }) => frameId === at.parentId);
      if (!parent) break;
      const inner = await this.#placeIn(parent, at.frameId);
      corner = { x: corner.x + inner.x, y: corner.y + inner.y };
      at = parent;
    }
    return corner;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#own?.catch(() => undefined);
    for (const off of this.#off) off();
    const sessionId = this.#session;
    // Those below it end with it.
    if (sessionId) await this.#cdp.send('Target.detachFromTarget', { sessionId }).catch(() => undefined);
  }

  async #tree(sessionId: string): Promise<Frame[]> {
    const options = { sessionId, timeoutMs: lookMs };
    const asked = this.#cdp.send('Page.getFrameTree', undefined, options);
    // A frame may go while it is asked; the page itself may not.
    const tree = await (sessionId === this.page.sessionId ? asked : asked.catch(() => undefined));
    const flat = ({ frame: { id: frameId, loaderId, url, parentId }, childFrames }: Tree): Frame[] => [
      { sessionId, frameId, loaderId, url, parentId },
      ...(childFrames ?? []).flatMap(flat),
    ];
    return tree ? flat(tree.frameTree) : [];
  }

  async #run(frame: Frame, expression: string, returnByValue: boolean) {
    const options = { sessionId: frame.sessionId, timeoutMs: lookMs };
    const { executionContextId } = await this.#cdp.send(
      'Page.createIsolatedWorld',
      { frameId: frame.frameId, worldName },
      options,
    );
    return this.#cdp.send(
      'Runtime.evaluate',
      { expression, contextId: executionContextId, returnByValue, timeout: lookMs - 500 },
      options,
    );
  }

  async #open(): Promise<void> {
    const { targetId } = this.page;
    const { sessionId } = await this.#cdp.send('Target.attachToTarget', { targetId, flatten: true });
    this.#session = sessionId;
    this.#off = [
      this.#cdp.on('Target.attachedToTarget', (attached, above) => {
        if (above !== sessionId && !this.#others.has(above ?? '')) return;
        this.#others.set(attached.sessionId, above ?? '');
        void this.#attachBelow(attached.sessionId).catch(() => undefined);
      }),
      this.#cdp.on('Target.detachedFromTarget', (detached) => {
        this.#others.delete(detached.sessionId);
      }),
    ];
    await this.#attachBelow(sessionId);
    // Frames within frames of other processes.
    for (let known = -1; known !== this.#others.size; ) {
      known = this.#others.size;
      await Promise.all([...this.#others.keys()].map((other) => this.#tree(other)));
    }
  }

  async #attachBelow(sessionId: string): Promise<void> {
    const filter = [{ type: 'iframe' }];
    await this.#cdp.send(
      'Target.setAutoAttach',
      { autoAttach: true, waitForDebuggerOnStart: false, flatten: true, filter },
      { sessionId, timeoutMs: lookMs },
    );
  }

  async #placeIn(parent: Frame, frameId: string): Promise<{ x: number; y: number }> {
    const options = { sessionId: parent.sessionId, timeoutMs: lookMs };
    const { backendNodeId } = await this.#cdp.send('DOM.getFrameOwner', { frameId }, options);
    const { model } = await this.#cdp.send('DOM.getBoxModel', { backendNodeId }, options);
    const [x = 0, y = 0] = model.content;
    return { x, y };
  }
}
