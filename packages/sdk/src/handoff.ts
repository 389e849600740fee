import type { Body, CallOptions } from './api.ts';
import type { Handoff as State } from './generated/types.ts';
import { Held } from './held.ts';
import { until } from './retry.ts';

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

  /** Waits until scripts drive again: a person has come and handed back, or the request was withdrawn. */
  finished(options: CallOptions = {}): Promise<State> {
    const { signal } = options;
    return until(
      () => this.get(options),
      ({ state }) => state === 'scripts',
      { signal, everyMs: lookAgainMs },
    );
  }
}
