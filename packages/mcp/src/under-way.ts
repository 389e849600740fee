/**
 * Requests that are being answered, so that a cancellation, which comes as a request of its own, finds the one it means.
 * One that reaches another node finds nothing, which the protocol allows. Without a name for the conversation nothing
 * is kept: clients count their requests from zero, and one must not cancel another's.
 */
export interface Named {
  caller: string;
  session: string | undefined;
  id: unknown;
}

export class UnderWay {
  readonly #calls = new Map<string, AbortController>();

  begin(named: Named, gone: AbortSignal): { signal: AbortSignal; done: () => void } {
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

  cancel(named: Named): void {
    this.#calls.get(nameOf(named) ?? '')?.abort(new Error('The caller has cancelled it.'));
  }
}

const nameOf = ({ caller, session, id }: Named): string | undefined =>
  session === undefined || id === undefined ? undefined : JSON.stringify([caller, session, id]);
