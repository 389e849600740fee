import type { Body, CallOptions } from './api.ts';
import { BrowserdError } from './errors.ts';
import type { Handoff as State } from './generated/types.ts';
import { Held } from './held.ts';
import { comesBack, until } from './retry.ts';

const lookAgainMs = 1000;

/** Between scripts and a person. */
export class Handoff extends Held {
  get(options: CallOptions = {}): Promise<State> {
    return this.api.json('HandoffController_get', { path: this.path }, options);
  }

  /** Asks a person to take over; the answer has the address to give to one. */
  request(body: Body<'HandoffController_request'> = {}, options: CallOptions = {}): Promise<State> {
    return this.api.json('HandoffController_request', { path: this.path, body }, options);
  }

  /** Takes the browser back. */
  end(options: CallOptions = {}): Promise<State> {
    return this.api.json('HandoffController_end', { path: this.path }, options);
  }

  /**
   * Waits until scripts drive again: a person has come and handed back, or the request was withdrawn. A browser that
   * recovers, or a service that is away for a while, is waited for too: `signal` is the only limit. `HANDOFF_LOST` where
   * the request did not outlast that.
   */
  async finished(options: CallOptions = {}): Promise<State> {
    let last: State | undefined;
    const look = async (): Promise<State | undefined> => {
      try {
        return await this.get(options);
      } catch (error) {
        // a wrong address is told at once
        if (onItsWay(error) || (last && comesBack(error))) return undefined;
        throw error;
      }
    };
    const over = (now: State | undefined): boolean => {
      if (now?.state === 'scripts' && last && !now.ended) throw lost();
      last = now ?? last;
      return now?.state === 'scripts';
    };
    return (await until(look, over, { signal: options.signal, everyMs: lookAgainMs })) as State;
  }
}

/** Of all statuses in which a browser cannot be asked, those that end in `ready`. */
const onItsWay = (error: unknown): boolean =>
  error instanceof BrowserdError && error.code === 'BROWSER_NOT_READY' && error.nextStep === 'wait';

const lost = (): BrowserdError =>
  new BrowserdError(
    {
      code: 'HANDOFF_LOST',
      message:
        'Nobody has handed back: the request for a person was lost when the service or the browser started anew. Ask again.',
      category: 'conflict',
      nextStep: 'retry',
    },
    0,
  );
