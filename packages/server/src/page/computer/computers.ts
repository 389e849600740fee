/** The screens of living browsers, used by callers: one call at a time, in turn with the scripts of the browser. */
import type { Running } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import type { Events } from '../../events/events.ts';
import type { Captures } from '../capture/capture.ts';
import type { Scripts } from '../script/script.ts';
import type { Action } from './actions-schema.ts';
import { ComputerCall } from './call.ts';
import { Desk } from './desk.ts';
import { notedStep } from './noted-steps.ts';
import type { ComputerAnswer, UseComputer } from './schema.ts';

export interface ComputersParts {
  scripts: Pick<Scripts, 'inTurn'>;
  captures: Pick<Captures, 'take'>;
  events: Pick<Events, 'note'>;
  /** Hands a file of a browser to its Chromium; the path is as Chromium sees it. */
  lend(running: Running, fileId: string): Promise<string>;
}

export class Computers {
  readonly #parts: ComputersParts;
  readonly #desks = new Map<Running, Desk>();

  constructor(parts: ComputersParts) {
    this.#parts = parts;
  }

  /** The caller's hanging up (`signal`) ends it between two steps of the hand. */
  use(
    caller: { projectId: string; keyId: string },
    id: string,
    request: UseComputer,
    signal: AbortSignal,
  ): Promise<ComputerAnswer> {
    return this.#parts.scripts.inTurn(caller, id, signal, (running) => {
      const call = new ComputerCall({
        ...{ running, request, captures: this.#parts.captures, desk: this.#deskOf(running) },
        signal: AbortSignal.any([signal, running.left]),
      });
      return this.#noting(running, call);
    });
  }

  /** A call has one event, also where it was cut short and has no answer. */
  async #noting({ id: browserId, projectId }: Running, call: ComputerCall): Promise<ComputerAnswer> {
    const began = performance.now();
    const note = (code: string | undefined): void => {
      const { actions, done } = call.progress;
      const failed = code === undefined ? undefined : actions[done.length];
      const data = {
        durationMs: Math.round(performance.now() - began),
        actions: done.map((each, index) => notedStep(actions[index] as Action, each)),
        ...(code !== undefined && { code }),
        ...(failed && { failedIndex: done.length, failed: notedStep(failed) }),
      };
      const type = code === undefined ? 'computer.completed' : 'computer.failed';
      this.#parts.events.note({ type, browserId, projectId, at: Date.now(), data });
    };
    try {
      const answer = await call.run();
      note(answer.error?.code);
      return answer;
    } catch (error) {
      // The browser was closed or stopped, or the caller has hung up.
      note(error instanceof ApiError ? error.code : 'SCRIPT_ABORTED');
      throw error;
    }
  }

  close(): void {
    for (const desk of this.#desks.values()) desk.close();
  }

  #deskOf(running: Running): Desk {
    const known = this.#desks.get(running);
    if (known) return known;
    const desk = new Desk({ running, lend: (fileId) => this.#parts.lend(running, fileId) });
    this.#desks.set(running, desk);
    const forget = (): void => {
      this.#desks.delete(running);
      desk.close();
    };
    running.left.addEventListener('abort', forget, { once: true });
    return desk;
  }
}
