/** What a caller's code does to a living browser: one runner session a browser, calls in their turn. */
import type { Running } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import { shareOf } from '../../kit/loop-share.ts';
import { tabOf, whyLeft } from '../reach/reach.ts';
import { Call, type OnLog, type ScriptsParts } from './call.ts';
import { cutResult } from './cut-result.ts';
import { RunnerSession, type RunnerSessionParts } from './runner-session.ts';
import type { ExecuteScript, Execution } from './schema.ts';

type ExecuteCall = [
  caller: { projectId: string; keyId: string },
  id: string,
  /** `ifEpoch`: only in this epoch of the browser. */
  request: ExecuteScript & { ifEpoch?: number },
  signal: AbortSignal,
  /** Hears of each log entry as it comes. */
  onLog?: OnLog,
];

const freezeAfterMs = 10_000;
const dropAfterMs = 300_000;

export class Scripts {
  readonly #parts: ScriptsParts;
  readonly #sessionParts: RunnerSessionParts;
  readonly #sessions = new Map<string, RunnerSession>();

  constructor(parts: ScriptsParts) {
    this.#parts = parts;
    const { runners, artifacts, log, masks, secretTyping } = parts;
    this.#sessionParts = { runners, artifacts, log, masks, secretTyping, freezeAfterMs, dropAfterMs };
  }

  /** Runs the code in its turn. The caller's hanging up (`signal`) ends it. */
  async execute(...call: ExecuteCall): Promise<Execution> {
    const began = performance.now();
    const tell = (code: string | undefined) => this.#parts.onExecuted?.(code, performance.now() - began);
    try {
      const answer = await this.#masked(...call);
      tell(answer.error?.code);
      return answer;
    } catch (error) {
      tell(error instanceof ApiError ? error.code : 'INTERNAL');
      throw error;
    }
  }

  /** Script calls wait until the return value is called, or the browser is left; one that runs is not broken off. */
  hold(running: Running): () => void {
    const letGo = this.#sessionOf(running).hold();
    running.left.addEventListener('abort', letGo, { once: true });
    return () => {
      running.left.removeEventListener('abort', letGo);
      letGo();
    };
  }

  /** Calls of all browsers that run or wait. */
  waiting(): number {
    return [...this.#sessions.values()].reduce((sum, session) => sum + session.waiting, 0);
  }

  /** A runner gets to see what stands in pages; what comes back from it is masked here, once and for all. */
  async #masked(...[caller, id, request, signal, onLog]: ExecuteCall): Promise<Execution> {
    const { masks } = this.#parts;
    const shown = <T>(value: T): T => masks.deep(caller.projectId, value);
    try {
      const answer = await this.#execute(
        caller,
        id,
        request,
        signal,
        onLog && ((entry) => onLog(shown(entry))),
      );
      const { result, ...rest } = answer;
      const made = await masks.made(caller.projectId, result);
      return {
        ...shown(rest),
        ...(await cutResult(shareOf(caller.projectId), made, request.maxResultChars)),
      };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { code, message, details, nextStep, headers, cause } = error;
      throw new ApiError(code, shown(message), { details: shown(details), nextStep, headers, cause });
    }
  }

  async #execute(...[caller, id, request, signal, onLog]: ExecuteCall): Promise<Execution> {
    return this.#inTurn(caller.projectId, id, signal, async (running, session) => {
      refuseOtherEpoch(running, request.ifEpoch);
      await this.#parts.checkIsolation();
      await session.serve(caller.keyId);
      const tabId = await tabOf(running, request.tabId);
      const call = new Call(this.#parts, session, request, tabId, AbortSignal.any([signal, running.left]));
      return call.execute(onLog);
    });
  }

  /** Other work on the pages of a browser that must not run beside its scripts. */
  inTurn<T>(
    caller: { projectId: string },
    id: string,
    signal: AbortSignal,
    work: (running: Running) => Promise<T>,
  ): Promise<T> {
    return this.#inTurn(caller.projectId, id, signal, work);
  }

  async #inTurn<T>(
    projectId: string,
    id: string,
    signal: AbortSignal,
    work: (running: Running, session: RunnerSession) => Promise<T>,
  ): Promise<T> {
    const { browsers } = this.#parts;
    const running = await browsers.use(projectId, id);
    if (running.left.aborted) throw await whyLeft(browsers, running);
    const session = this.#sessionOf(running);
    return session.inTurn(async () => {
      if (running.left.aborted) throw await whyLeft(browsers, running);
      running.acted();
      try {
        return await work(running, session);
      } catch (error) {
        throw running.left.aborted ? await whyLeft(browsers, running) : error;
      } finally {
        running.acted();
      }
    }, signal);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  #sessionOf(running: Running): RunnerSession {
    const known = this.#sessions.get(running.id);
    if (known?.running === running) return known;
    const session = new RunnerSession(this.#sessionParts, running);
    this.#sessions.set(running.id, session);
    const forget = () => {
      if (this.#sessions.get(running.id) === session) this.#sessions.delete(running.id);
    };
    running.left.addEventListener('abort', forget, { once: true });
    return session;
  }
}

function refuseOtherEpoch({ epoch }: Running, wanted: number | undefined): void {
  if (wanted === undefined || wanted === epoch) return;
  throw new ApiError(
    'EPOCH_CHANGED',
    `The browser is in epoch ${epoch}, not ${wanted}: another Chromium has taken over, with the tabs and the state that were saved. Look at the page before you go on.`,
    { details: { epoch } },
  );
}
