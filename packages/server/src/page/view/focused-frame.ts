/**
 * The document that has the focus: the page's own, or that of a frame in it, in whichever process that runs. What is
 * looked up there runs in an isolated world, where the page has replaced nothing.
 */
import type { Expression } from '../../kit/page-program.ts';
import { clipboardProgram } from '../reach/reach.ts';
import { RefusedError, type Remote } from './remote.ts';
import type { Shown } from './screencast.ts';

interface Place {
  sessionId: string;
  contextId: number;
}

const worldName = 'browserd';
const objectGroup = 'browserd view';
const mostDepth = 10;

export class FocusedFrame implements AsyncDisposable {
  readonly #remote: Remote;
  #place: Place;
  /** Opened for frames in other processes. */
  readonly #opened: string[] = [];

  private constructor(remote: Remote, page: Place) {
    this.#remote = remote;
    this.#place = page;
  }

  static async find({ remote, sessionId, targetId }: Shown): Promise<FocusedFrame> {
    const frame = new FocusedFrame(remote, await worldIn(remote, sessionId, targetId));
    try {
      for (let depth = 0; depth < mostDepth; depth++) {
        const frameId = await frameWithFocus(remote, frame.#place);
        if (frameId === undefined) break;
        await frame.#enter(frameId);
      }
    } catch (error) {
      await frame[Symbol.asyncDispose]();
      throw error;
    }
    return frame;
  }

  async #enter(frameId: string): Promise<void> {
    const here = worldIn(this.#remote, this.#place.sessionId, frameId);
    this.#place = await here.catch(async (error: unknown) => {
      if (!(error instanceof RefusedError)) throw error;
      const to = { targetId: frameId, flatten: true };
      const sessionId = String((await this.#remote.send('Target.attachToTarget', to)).sessionId);
      this.#opened.push(sessionId);
      return worldIn(this.#remote, sessionId, frameId);
    });
  }

  async evaluate<T>(expression: Expression<T>): Promise<T> {
    const { sessionId, contextId } = this.#place;
    const params = { expression, contextId, returnByValue: true, awaitPromise: true };
    return read<T>(await this.#remote.send('Runtime.evaluate', params, sessionId));
  }

  /** The expression gives a promise; what it comes to is asked for by calling what is returned. */
  async begin<T>(expression: Expression<T>): Promise<() => Promise<T>> {
    const { sessionId, contextId } = this.#place;
    const begun = await this.#remote.send(
      'Runtime.evaluate',
      { expression, contextId, objectGroup },
      sessionId,
    );
    const { objectId } = begun.result as { objectId?: string };
    if (objectId === undefined) throw new RefusedError('The page was replaced meanwhile.');
    return async () => {
      const params = { promiseObjectId: objectId, returnByValue: true };
      return read<T>(await this.#remote.send('Runtime.awaitPromise', params, sessionId));
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = this.#opened.map((sessionId) =>
      this.#remote.send('Target.detachFromTarget', { sessionId }),
    );
    const freed = this.#remote.send('Runtime.releaseObjectGroup', { objectGroup }, this.#place.sessionId);
    await Promise.allSettled([freed, ...ended]);
  }
}

async function worldIn(remote: Remote, sessionId: string, frameId: string): Promise<Place> {
  const made = await remote.send('Page.createIsolatedWorld', { frameId, worldName }, sessionId);
  return { sessionId, contextId: Number(made.executionContextId) };
}

async function frameWithFocus(remote: Remote, { sessionId, contextId }: Place): Promise<string | undefined> {
  const expression = clipboardProgram.call('focusedFrame');
  const found = await remote.send('Runtime.evaluate', { expression, contextId, objectGroup }, sessionId);
  const { objectId } = found.result as { objectId?: string };
  if (objectId === undefined) return undefined;
  const { node } = await remote.send('DOM.describeNode', { objectId }, sessionId);
  return (node as { frameId?: string }).frameId;
}

function read<T>({ result, exceptionDetails }: Record<string, unknown>): T {
  if (exceptionDetails) throw new RefusedError('The page was replaced meanwhile.');
  return (result as { value: T }).value;
}
