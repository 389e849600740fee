/**
 * Requests that are being answered, so that a cancellation, which comes as a request of its own, finds the one it means.
 * One that reaches another node finds nothing, which the protocol allows.
 */
export class UnderWay {
  readonly #calls = new Map<string, AbortController>();

  begin(session: string, id: unknown, gone: AbortSignal): { signal: AbortSignal; done: () => void } {
    const name = nameOf(session, id);
    const cancelled = new AbortController();
    const done = (): void => {
      if (this.#calls.get(name) === cancelled) this.#calls.delete(name);
    };
    if (id !== undefined) this.#calls.set(name, cancelled);
    gone.addEventListener('abort', done, { once: true });
    return { signal: AbortSignal.any([gone, cancelled.signal]), done };
  }

  cancel(session: string, id: unknown): void {
    this.#calls.get(nameOf(session, id))?.abort(new Error('The caller has cancelled it.'));
  }
}

const nameOf = (session: string, id: unknown): string => JSON.stringify([session, id]);
