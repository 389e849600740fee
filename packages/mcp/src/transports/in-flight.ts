/**
 * Requests in flight, so that a cancellation, which comes as a request of its own, finds the request that it names. On
 * another node it finds nothing, which the protocol allows. Requests without a session are not kept: clients count their
 * requests from zero, and a client must not cancel another client's.
 */
export interface RequestName {
  caller: string;
  session: string | undefined;
  id: unknown;
}

export class RequestsInFlight {
  readonly #calls = new Map<string, AbortController>();

  begin(named: RequestName, gone: AbortSignal): { signal: AbortSignal; done: () => void } {
    const name = nameOf(named);
    if (name === undefined) return { signal: gone, done: () => {} };
    const cancelled = new AbortController();
    const done = (): void => {
      if (this.#calls.get(name) === cancelled) this.#calls.delete(name);
    };
    this.#calls.set(name, cancelled);
    gone.addEventListener('abort', done, { once: true });
    return { signal: AbortSignal.any([gone, cancelled.signal]), done };
  }

  cancel(named: RequestName): void {
    this.#calls.get(nameOf(named) ?? '')?.abort(new Error('The caller has cancelled it.'));
  }
}

const nameOf = ({ caller, session, id }: RequestName): string | undefined =>
  session === undefined || id === undefined ? undefined : JSON.stringify([caller, session, id]);
