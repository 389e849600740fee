/**
 * What CDP clients find at a browser before they connect: its targets, each by itself. A question is asked as a client
 * that comes for this one question would ask it, so that the filter decides here as it does on the socket.
 *
 *   GET …/json/list ─> client on the pipe ─> Target.getTargets ─> filter ─> answer ─> the client leaves
 */
import type { Running } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import { noTarget } from './page-target.ts';

export interface CdpTarget {
  targetId: string;
  type: string;
  title: string;
  url: string;
  /** Of a frame with a process of its own: the target that it is in. */
  parentFrameId?: string;
}

/** Finds the browser, if clients are let in there. */
type Find = (projectId: string, id: string) => Promise<Running>;
type Ask = <T>(method: string, params?: object) => Promise<T>;

const answerMs = 10_000;

/** The filter or Chromium said no. */
class RefusedError extends Error {}

export class CdpTargets {
  readonly #find: Find;

  constructor(find: Find) {
    this.#find = find;
  }

  async list(projectId: string, id: string): Promise<CdpTarget[]> {
    const running = await this.#find(projectId, id);
    return asClient(running, async (ask) => {
      const { targetInfos } = await ask<{ targetInfos: CdpTarget[] }>('Target.getTargets');
      return targetInfos;
    });
  }

  async open(projectId: string, id: string, url: string): Promise<CdpTarget> {
    const running = await this.#act(projectId, id);
    const refusal = running.live.tabs.refusal();
    if (refusal) throw new ApiError('TOO_MANY_TABS', refusal);
    return asClient(running, async (ask) => {
      const { targetId } = await ask<{ targetId: string }>('Target.createTarget', { url }).catch(refusedUrl);
      const asked = ask<{ targetInfo: CdpTarget }>('Target.getTargetInfo', { targetId });
      return (await asked.catch(unknown(targetId))).targetInfo;
    });
  }

  /** A tab becomes the active one for scripts and viewers, too. */
  async activate(projectId: string, id: string, targetId: string): Promise<void> {
    const running = await this.#act(projectId, id);
    await asClient(running, async (ask) => {
      await ask('Target.getTargetInfo', { targetId }).catch(unknown(targetId));
      const tabId = running.live.tabs.tabOf(targetId);
      if (tabId !== undefined) await running.live.tabs.activate(tabId);
      else await ask('Target.activateTarget', { targetId }).catch(unknown(targetId));
    });
  }

  async close(projectId: string, id: string, targetId: string): Promise<void> {
    const running = await this.#act(projectId, id);
    await asClient(running, async (ask) => {
      await ask('Target.getTargetInfo', { targetId }).catch(unknown(targetId));
      await ask('Target.closeTarget', { targetId }).catch(unknown(targetId));
    });
  }

  async #act(projectId: string, id: string): Promise<Running> {
    const running = await this.#find(projectId, id);
    running.acted();
    return running;
  }
}

function refusedUrl(error: unknown): never {
  if (!(error instanceof RefusedError)) throw error;
  throw new ApiError('VALIDATION_FAILED', `The page was not opened: ${error.message}.`, {
    details: { issues: [{ path: 'url', reason: error.message }] },
  });
}

const unknown =
  (targetId: string) =>
  (error: unknown): never => {
    throw error instanceof RefusedError ? noTarget(targetId) : error;
  };

async function asClient<T>(running: Running, work: (ask: Ask) => Promise<T>): Promise<T> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const failAll = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error);
  };
  const client = await running.live.openClient({
    onMessage(message) {
      const { id, result, error } = JSON.parse(message.toString());
      const asked = waiting.get(id);
      if (error) asked?.reject(new RefusedError(error.message));
      else asked?.resolve(result);
    },
    onClose: () =>
      failAll(
        new ApiError('BROWSER_CRASHED', `Chromium of browser ${running.id} ended meanwhile. Try again.`),
      ),
  });
  const late = setTimeout(() => {
    failAll(
      new ApiError('BROWSER_UNRESPONSIVE', `Chromium of browser ${running.id} does not answer. Try again.`),
    );
  }, answerMs);
  try {
    return await work(async <A>(method: string, params: object = {}) => {
      const id = waiting.size + 1;
      const asked = Promise.withResolvers<unknown>();
      waiting.set(id, asked);
      client.send(JSON.stringify({ id, method, params }));
      return (await asked.promise) as A;
    });
  } finally {
    clearTimeout(late);
    await client.close();
  }
}
