/**
 * The field that has the focus, in whichever frame of the tab that is:
 *
 *   the document of the tab ── its focus is in a frame? ──> the document of that frame, in another process too ──> …
 *
 * Each document is looked at in an isolated world with a name that is used once, so that nothing in it is prepared. What
 * was found is held by the world of its document: when the document goes, a call on it fails and types nothing.
 */
import { randomUUID } from 'node:crypto';
import type { Cdp } from '../../browsers/browsers.ts';
import type { SecretField } from '../inside/inside.ts';
import { type PageTarget, secretFieldProgram } from '../reach/reach.ts';

const lookMs = 5000;
const deepest = 20;

export class FocusedField implements AsyncDisposable {
  readonly #cdp: Cdp;
  readonly #sessionId: string;
  readonly #objectId: string;
  readonly #attached: string[];

  private constructor(cdp: Cdp, found: { sessionId: string; objectId: string }, attached: string[]) {
    this.#cdp = cdp;
    this.#sessionId = found.sessionId;
    this.#objectId = found.objectId;
    this.#attached = attached;
  }

  /** Undefined where nothing has the focus. */
  static async find({ cdp, sessionId }: PageTarget): Promise<FocusedField | undefined> {
    const attached: string[] = [];
    let place: { sessionId: string; frameId?: string } = { sessionId };
    for (let depth = 0; depth < deepest; depth++) {
      const objectId = await focusIn(cdp, place);
      if (!objectId) break;
      const frameId = await frameShownBy(cdp, place.sessionId, objectId);
      if (!frameId) return new FocusedField(cdp, { sessionId: place.sessionId, objectId }, attached);
      place = await enter(cdp, place.sessionId, frameId, attached);
    }
    await detach(cdp, attached);
    return undefined;
  }

  look(): Promise<SecretField> {
    return this.#call('look');
  }

  /** Looks once more, and types in the same task. */
  type(origins: readonly string[], text: string): Promise<SecretField> {
    return this.#call('typeInto', origins, text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await detach(this.#cdp, this.#attached);
  }

  async #call(name: 'look' | 'typeInto', ...given: unknown[]): Promise<SecretField> {
    const { result, exceptionDetails } = await this.#cdp.send(
      'Runtime.callFunctionOn',
      {
        objectId: this.#objectId,
        functionDeclaration: secretFieldProgram.method(name),
        arguments: given.map((value) => ({ value })),
        returnByValue: true,
        userGesture: true,
      },
      { sessionId: this.#sessionId, timeoutMs: lookMs },
    );
    // Its text may hold what was given.
    if (exceptionDetails) throw new Error('The field could not be typed into.');
    return result.value as SecretField;
  }
}

async function focusIn(
  cdp: Cdp,
  place: { sessionId: string; frameId?: string },
): Promise<string | undefined> {
  const options = { sessionId: place.sessionId, timeoutMs: lookMs };
  const frameId =
    place.frameId ?? (await cdp.send('Page.getFrameTree', undefined, options)).frameTree.frame.id;
  const world = { frameId, worldName: `browserd ${randomUUID()}` };
  const { executionContextId: contextId } = await cdp.send('Page.createIsolatedWorld', world, options);
  const look = { expression: secretFieldProgram.call('focused'), contextId };
  const { result } = await cdp.send('Runtime.evaluate', look, options);
  return result.objectId;
}

/** Of an element that shows a frame. */
async function frameShownBy(cdp: Cdp, sessionId: string, objectId: string): Promise<string | undefined> {
  const { node } = await cdp.send('DOM.describeNode', { objectId }, { sessionId, timeoutMs: lookMs });
  return /^(IFRAME|FRAME)$/.test(node.nodeName.toUpperCase()) ? node.frameId : undefined;
}

/** A frame of another process is a target of its own, whose id is that of the frame. */
async function enter(
  cdp: Cdp,
  sessionId: string,
  frameId: string,
  attached: string[],
): Promise<{ sessionId: string; frameId?: string }> {
  const { targetInfos } = await cdp.send('Target.getTargets', { filter: [{ type: 'iframe' }] });
  if (!targetInfos.some(({ targetId }) => targetId === frameId)) return { sessionId, frameId };
  const own = await cdp.send('Target.attachToTarget', { targetId: frameId, flatten: true });
  attached.push(own.sessionId);
  return { sessionId: own.sessionId };
}

async function detach(cdp: Cdp, sessions: string[]): Promise<void> {
  await Promise.all(
    sessions.map((sessionId) => cdp.send('Target.detachFromTarget', { sessionId }).catch(() => undefined)),
  );
}
