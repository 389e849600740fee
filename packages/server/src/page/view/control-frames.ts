/**
 * The frames of the tab that is shown, in whichever process they run, while a person drives: in each of them a program of
 * `inside/controls` waits for a control to be opened.
 *
 *   session of the tab ── its frames ── one waiting call in each, in a world of our own
 *        └─ setAutoAttach ──> a session for each frame of another process, and below it again
 *
 * The call is answered when something is opened, and fails when its document goes; so nothing is asked in between. `Runtime`
 * is not enabled: pages can notice that.
 */
import type { Expression } from '../../kit/page-program.ts';
import { controlsProgram } from '../reach/reach.ts';
import { type Box, boxAround, readHidden } from './picker.ts';
import { RefusedError, type RemoteEvent } from './remote.ts';
import type { Shown } from './screencast.ts';

/** A frame's world, by which its program is reached. */
export interface World {
  sessionId: string;
  contextId: number;
}

export interface FramesListener {
  opened(world: World, said: unknown): void;
  /** The documents of a session are gone. */
  gone(sessionId: string): void;
}

interface Session {
  targetId: string;
  parentId?: string;
  scriptId?: string;
}

const worldName = 'browserd-view';
const mostFrames = 60;
const onlyFrames = [{ type: 'iframe' }];

export class ControlFrames {
  readonly #shown: Shown;
  readonly #listener: FramesListener;
  readonly #sessions = new Map<string, Session>();
  /** By session and frame: a frame that moves to another process is heard of in both for a moment, in any order. */
  readonly #worlds = new Map<string, World>();
  #ended = false;
  readonly #entering: Promise<void>[] = [];
  /** Resolves when all frames that are there are listened to. */
  readonly ready: Promise<void>;

  constructor(shown: Shown, targetId: string, listener: FramesListener) {
    this.#shown = shown;
    this.#listener = listener;
    this.ready = this.#enter(shown.sessionId, { targetId }).then(async () => {
      while (this.#entering.length > 0) await this.#entering.shift();
    });
  }

  /** The target that a session of ours is in. */
  targetOf(sessionId: string): string | undefined {
    return this.#sessions.get(sessionId)?.targetId;
  }

  hear({ method, params, sessionId = '' }: RemoteEvent): void {
    if (this.#ended || !this.#sessions.has(sessionId)) return;
    switch (method) {
      case 'Page.frameNavigated': {
        const frame = params.frame as { id: string; parentId?: string };
        if (!frame.parentId) this.#listener.gone(sessionId);
        void this.#listen(sessionId, frame.id);
        break;
      }
      case 'Page.frameAttached':
        void this.#listen(sessionId, String(params.frameId));
        break;
      case 'Page.frameDetached':
        this.#worlds.delete(keyOf(sessionId, String(params.frameId)));
        break;
      case 'Target.attachedToTarget': {
        const { targetId } = params.targetInfo as { targetId: string };
        this.#entering.push(this.#enter(String(params.sessionId), { targetId, parentId: sessionId }));
        break;
      }
      case 'Target.detachedFromTarget':
        this.#left(String(params.sessionId));
    }
  }

  #left(sessionId: string): void {
    this.#sessions.delete(sessionId);
    for (const [key, world] of this.#worlds) if (world.sessionId === sessionId) this.#worlds.delete(key);
    this.#listener.gone(sessionId);
  }

  /** Leaves no listener in the page; not awaited, because a page in a loop answers late. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const world of this.#worlds.values())
      void this.evaluate(world, controlsProgram.callLoaded('end')).catch(() => undefined);
    for (const [sessionId, { scriptId }] of this.#sessions) {
      this.#tell('Page.setInterceptFileChooserDialog', { enabled: false }, sessionId);
      if (scriptId)
        this.#tell('Page.removeScriptToEvaluateOnNewDocument', { identifier: scriptId }, sessionId);
    }
    this.#tell('Target.setAutoAttach', { autoAttach: false, waitForDebuggerOnStart: false, flatten: true });
  }

  async evaluate<T>({ sessionId, contextId }: World, expression: Expression<T>, patient = false): Promise<T> {
    const options = { expression, contextId, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await this.#send('Runtime.evaluate', options, sessionId, patient);
    if (exceptionDetails) throw new RefusedError((exceptionDetails as { text: string }).text);
    return (result as { value: T }).value;
  }

  /** The world of a frame; a frame that has none gets it. */
  async worldOf(sessionId: string, frameId: string): Promise<World> {
    const known = this.#worlds.get(keyOf(sessionId, frameId));
    if (known) return known;
    const made = await this.#send('Page.createIsolatedWorld', { frameId, worldName }, sessionId);
    return { sessionId, contextId: Number(made.executionContextId) };
  }

  /** Where an element is in the picture; `element` names it as CDP does. */
  async boxOf(sessionId: string, element: Record<string, unknown>): Promise<Box | undefined> {
    const { quads } = await this.#send('DOM.getContentQuads', element, sessionId);
    const box = boxAround(quads);
    if (!box) return undefined;
    const corner = await this.#cornerOf(sessionId);
    return { ...box, x: box.x + corner.x, y: box.y + corner.y };
  }

  /** The element of a control that was opened. */
  async objectOf(world: World, number: number): Promise<string | undefined> {
    const { contextId, sessionId } = world;
    const expression = controlsProgram.callLoaded('element', number);
    const { result } = await this.#send('Runtime.evaluate', { expression, contextId }, sessionId);
    return (result as { objectId?: string }).objectId;
  }

  /** In a closed shadow tree; what is open there is told like anything else. */
  async #lookInside(
    world: World,
    { host, dx, dy }: NonNullable<ReturnType<typeof readHidden>>,
  ): Promise<void> {
    const { sessionId, contextId: executionContextId } = world;
    const objectId = await this.objectOf(world, host);
    const { quads } = await this.#send('DOM.getContentQuads', { objectId }, sessionId);
    const box = boxAround(quads);
    if (!box) return;
    const place = { x: Math.round(box.x + dx), y: Math.round(box.y + dy) };
    const { backendNodeId } = await this.#send('DOM.getNodeForLocation', place, sessionId);
    const node = { backendNodeId, executionContextId };
    const { object } = await this.#send('DOM.resolveNode', node, sessionId);
    const { objectId: inner } = object as { objectId: string };
    const functionDeclaration = controlsProgram.method('within');
    await this.#send('Runtime.callFunctionOn', { objectId: inner, functionDeclaration }, sessionId);
  }

  /** Of a frame in another process, whose places are counted from its own corner. */
  async #cornerOf(sessionId: string): Promise<{ x: number; y: number }> {
    const { targetId, parentId } = this.#sessions.get(sessionId) ?? {};
    if (!targetId || !parentId) return { x: 0, y: 0 };
    const { backendNodeId } = await this.#send('DOM.getFrameOwner', { frameId: targetId }, parentId);
    const { model } = await this.#send('DOM.getBoxModel', { backendNodeId }, parentId);
    const [x = 0, y = 0] = (model as { content: number[] }).content;
    const above = await this.#cornerOf(parentId);
    return { x: x + above.x, y: y + above.y };
  }

  async #enter(sessionId: string, session: Session): Promise<void> {
    this.#sessions.set(sessionId, session);
    const source = controlsProgram.call('begin');
    const ask = (method: string, params: Record<string, unknown> = {}) =>
      this.#send(method, params, sessionId).catch(() => undefined);
    // Sent together, so that they are there before the person's next press.
    const [, tree, script] = await Promise.all([
      ask('Page.enable'),
      ask('Page.getFrameTree'),
      ask('Page.addScriptToEvaluateOnNewDocument', { source, worldName, runImmediately: true }),
      ask('Page.setInterceptFileChooserDialog', { enabled: true }),
      ask('Target.setAutoAttach', {
        ...{ autoAttach: true, waitForDebuggerOnStart: false, flatten: true },
        filter: onlyFrames,
      }),
    ]);
    if (script) session.scriptId = String(script.identifier);
    if (tree) for (const id of frameIdsOf(tree.frameTree as Tree)) void this.#listen(sessionId, id);
  }

  async #listen(sessionId: string, frameId: string): Promise<void> {
    if (this.#ended || this.#worlds.size >= mostFrames) return;
    const key = keyOf(sessionId, frameId);
    this.#worlds.delete(key);
    let world: World | undefined;
    try {
      world = await this.worldOf(sessionId, frameId);
      if (!this.#sessions.has(sessionId)) return;
      this.#worlds.set(key, world);
      for (let said: unknown; said !== null && !this.#ended; ) {
        said = await this.evaluate(world, controlsProgram.call('next'), true);
        // Two calls may wait in one document for a moment; either may be the one that is answered.
        const newest = this.#worlds.get(key) ?? world;
        if (!said || newest.contextId !== world.contextId) continue;
        const hidden = readHidden(said);
        if (hidden) void this.#lookInside(world, hidden).catch(() => undefined);
        else this.#listener.opened(world, said);
      }
    } catch {
      // The document is gone, and the next one is listened to when Chromium tells of it.
      if (this.#worlds.get(key) === world) this.#worlds.delete(key);
    }
  }

  #send(method: string, params: Record<string, unknown>, sessionId: string, patient = false) {
    return this.#shown.remote.send(method, params, sessionId, { patient });
  }

  #tell(method: string, params: Record<string, unknown>, sessionId = this.#shown.sessionId): void {
    void this.#send(method, params, sessionId).catch(() => undefined);
  }
}

const keyOf = (sessionId: string, frameId: string): string => `${sessionId} ${frameId}`;

interface Tree {
  frame: { id: string };
  childFrames?: Tree[];
}

const frameIdsOf = ({ frame, childFrames = [] }: Tree): string[] => [
  frame.id,
  ...childFrames.flatMap(frameIdsOf),
];
