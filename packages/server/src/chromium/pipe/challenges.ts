/**
 * Sites that ask a page for a name and a password. Chromium asks one session alone: that of a client which holds the requests
 * of the page, before the service's own. Such a client mostly answers that it has none; then those that the browser was given
 * go in its place, and the client does not learn them.
 *
 *   Fetch.authRequired   ──> client     Fetch.continueWithAuth {response: 'Default'}   ──> {response: 'ProvideCredentials', …}
 */
export interface Credentials {
  username: string;
  password: string;
}

export interface Challenge {
  requestId: string;
  origin: string;
}

const longestId = 200;
const longestOrigin = 300;
const mostKept = 1000;

/** The first bytes of it, up to the next quote. */
const textBehind = (message: Buffer, mark: string, longest: number): string | undefined => {
  const at = message.indexOf(mark);
  if (at < 0) return undefined;
  const text = message.toString('latin1', at + mark.length, at + mark.length + longest);
  const end = text.indexOf('"');
  return end < 0 ? undefined : text.slice(0, end);
};

/** Of an event of the domain Fetch. A page decides how long it is, so it is not parsed. */
export const heldRequestIn = (event: Buffer): string | undefined =>
  textBehind(event.subarray(0, 2 * longestId), '"params":{"requestId":"', longestId);

/** Who asks, where that is a site and no proxy. Texts of a page or a site have their quotes escaped: the marks are Chromium's. */
export function challengeIn(event: Buffer): Challenge | undefined {
  const requestId = heldRequestIn(event);
  const at = event.lastIndexOf('"authChallenge":{"');
  if (requestId === undefined || at < 0) return undefined;
  const asked = event.subarray(at);
  if (textBehind(asked, '{"source":"', longestId) !== 'Server') return undefined;
  const origin = textBehind(asked, '"origin":"', longestOrigin);
  return origin === undefined ? undefined : { requestId, origin };
}

/** One try for each request: a site that asks again did not like the answer. */
export class Tries {
  readonly #tried = new Set<string>();

  isFirst(requestId: string): boolean {
    if (this.#tried.has(requestId)) return false;
    this.#tried.add(requestId);
    const [oldest = ''] = this.#tried;
    if (this.#tried.size > mostKept) this.#tried.delete(oldest);
    return true;
  }
}

export class ClientChallenges {
  readonly #credentialsFor: (origin: string) => Credentials | undefined;
  readonly #asked = new Map<string, string>();
  readonly #tries = new Tries();

  constructor(credentialsFor: (origin: string) => Credentials | undefined) {
    this.#credentialsFor = credentialsFor;
  }

  heard(method: string, event: Buffer): void {
    const challenge = method === 'Fetch.authRequired' ? challengeIn(event) : undefined;
    if (!challenge || !this.#credentialsFor(challenge.origin)) return;
    this.#asked.set(challenge.requestId, challenge.origin);
    const [oldest = ''] = this.#asked.keys();
    if (this.#asked.size > mostKept) this.#asked.delete(oldest);
  }

  /** The parameters of a command: the client's own, or a better answer. */
  answer(method: string, params: Record<string, unknown>): Record<string, unknown> {
    if (method !== 'Fetch.continueWithAuth') return params;
    const requestId = String(params.requestId);
    const origin = this.#asked.get(requestId);
    const { response } = (params.authChallengeResponse ?? {}) as { response?: unknown };
    if (origin === undefined || response !== 'Default') return params;
    this.#asked.delete(requestId);
    const known = this.#credentialsFor(origin);
    if (!known) return params;
    const answer = this.#tries.isFirst(requestId)
      ? { response: 'ProvideCredentials', ...known }
      : { response: 'CancelAuth' };
    return { requestId, authChallengeResponse: answer };
  }
}
