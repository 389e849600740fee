/**
 * Answers sites that ask for a name and a password. Only requests to the origins of these are held, each for the moment that
 * it takes to let it go on: Chromium asks about challenges only for requests that it holds. The session is one of its own, of
 * the whole browser, so that tabs, frames, workers and popups are covered from their first request.
 */
import { type Cdp, type Credentials, challengeIn, heldRequestIn, Tries } from '../../chromium/chromium.ts';
import type { HttpCredential } from '../record/trust-schema.ts';

interface Listening {
  sessionId: string;
  stop(): void;
}

export class HttpCredentials {
  readonly #cdp: Cdp;
  #known: ReadonlyMap<string, Credentials> = new Map();
  /** Also those that were taken back: Chromium may still send them. */
  readonly #headers = new Set<string>();
  #listening: Listening | undefined;
  #turn: Promise<void> = Promise.resolve();
  readonly #tries = new Tries();

  constructor(cdp: Cdp) {
    this.#cdp = cdp;
  }

  /** From now on these and no others. */
  set(all: readonly HttpCredential[] = []): Promise<void> {
    this.#known = new Map(all.map(({ origin, ...credentials }) => [origin, credentials]));
    for (const { username, password } of all)
      this.#headers.add(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`);
    const applied = this.#turn.then(() => this.#apply());
    this.#turn = applied.catch(() => undefined);
    return applied;
  }

  of(origin: string): Credentials | undefined {
    return this.#known.get(origin);
  }

  /** What a request carries once a site was answered, as it would be read on the wire. */
  get headers(): string[] {
    return [...this.#headers];
  }

  async #apply(): Promise<void> {
    if (this.#known.size === 0) {
      await this.#stop();
      return;
    }
    this.#listening ??= await this.#listen();
    const patterns = [...this.#known.keys()].map((origin) => ({ urlPattern: `${origin}/*` }));
    const { sessionId } = this.#listening;
    await this.#cdp.send('Fetch.enable', { patterns, handleAuthRequests: true }, { sessionId });
  }

  async #listen(): Promise<Listening> {
    const { sessionId } = await this.#cdp.send('Target.attachToBrowserTarget');
    const stop = this.#cdp.tap(sessionId, (method, event) => this.#heard(sessionId, method, event));
    return { sessionId, stop };
  }

  /** What is held goes on by itself. */
  async #stop(): Promise<void> {
    const listening = this.#listening;
    this.#listening = undefined;
    listening?.stop();
    if (listening)
      await this.#cdp
        .send('Target.detachFromTarget', { sessionId: listening.sessionId })
        .catch(() => undefined);
  }

  #heard(sessionId: string, method: string, event: Buffer): void {
    const requestId = heldRequestIn(event);
    if (requestId === undefined) return;
    // A request that is gone by then needs no answer.
    const done = (answered: Promise<unknown>): void => void answered.catch(() => undefined);
    if (method === 'Fetch.requestPaused')
      done(this.#cdp.send('Fetch.continueRequest', { requestId }, { sessionId }));
    if (method !== 'Fetch.authRequired') return;
    const authChallengeResponse = this.#answer(event);
    done(this.#cdp.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }, { sessionId }));
  }

  #answer(event: Buffer) {
    const challenge = challengeIn(event);
    const known = challenge && this.of(challenge.origin);
    if (!challenge || !known) return { response: 'Default' as const };
    return this.#tries.isFirst(challenge.requestId)
      ? { response: 'ProvideCredentials' as const, ...known }
      : { response: 'CancelAuth' as const };
  }
}
