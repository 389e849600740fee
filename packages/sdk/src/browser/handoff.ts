/** Handing a browser over to a person and back: a script requests it, then waits through crashes and restarts. */
import { BrowserdError } from '../errors.ts';
import type { Handoff as State } from '../generated/schemas.ts';
import { type Body, type CallOptions, comesBack, until } from '../http/http.ts';
import { BrowserResource } from './browser-resource.ts';

const pollMs = 1000;

/** The handoff between scripts and a person. */
export class Handoff extends BrowserResource {
  get(options: CallOptions = {}): Promise<State> {
    return this.api.json('HandoffController_get', { path: this.path }, options);
  }

  /** Requests a person; the answer has the address to pass on. */
  request(body: Body<'HandoffController_request'> = {}, options: CallOptions = {}): Promise<State> {
    return this.api.json('HandoffController_request', { path: this.path, body }, options);
  }

  /** Takes the browser back. */
  end(options: CallOptions = {}): Promise<State> {
    return this.api.json('HandoffController_end', { path: this.path }, options);
  }

  /**
   * Waits until scripts control the browser again: a person has handed back, or the request was withdrawn. It waits
   * through a recovery of the browser and a restart of the service: `signal` is the only limit. Throws `HANDOFF_LOST`
   * when the request did not survive that.
   */
  async finished(options: CallOptions = {}): Promise<State> {
    let last: State | undefined;
    const look = async (): Promise<State | undefined> => {
      try {
        return await this.get(options);
      } catch (error) {
        // an address that never answered is reported at once
        if (onItsWay(error) || (last && comesBack(error))) return undefined;
        throw error;
      }
    };
    const over = (now: State | undefined): boolean => {
      if (now?.state === 'scripts' && last && !now.ended) throw lost();
      last = now ?? last;
      return now?.state === 'scripts';
    };
    return (await until(look, over, { signal: options.signal, everyMs: pollMs })) as State;
  }
}

/** Of the statuses in which a browser does not answer, those that lead to `ready`. */
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
