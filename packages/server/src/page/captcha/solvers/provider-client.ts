/**
 * The protocol that 2Captcha, Anti-Captcha, CapSolver and CapMonster share:
 *
 *   createTask {clientKey, task} ──> {taskId} (or the solution at once)
 *   getTaskResult {clientKey, taskId} ──> processing … ready {solution, cost}
 *
 * Calls go out by the service's own checked way. Whatever a service answers is cut, and never repeats the key.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProviderSettings {
  url: string;
  key: string;
  /** Fails with words for people. */
  post(
    url: string,
    message: { headers: Record<string, string>; body: string; timeoutMs: number; signal?: AbortSignal },
  ): Promise<{ status: number; body: string }>;
}

export interface Solved {
  solution: unknown;
  cost?: string;
}

export class ProviderError extends Error {}

interface Answer {
  errorId?: unknown;
  errorCode?: unknown;
  errorDescription?: unknown;
  taskId?: unknown;
  status?: unknown;
  solution?: unknown;
  cost?: unknown;
}

const callMs = 20_000;
const pollMs = 2000;
const longestWords = 300;

const meanings: Record<string, string> = {
  ERROR_KEY_DOES_NOT_EXIST:
    'it does not know the key; the operator must correct BROWSERD_CAPTCHA_PROVIDER_KEY',
  ERROR_ZERO_BALANCE: 'its account is empty',
  ERROR_NO_SLOT_AVAILABLE: 'it has nobody free at the moment; try again later',
  ERROR_CAPTCHA_UNSOLVABLE: 'it could not solve the captcha',
  ERROR_IP_NOT_ALLOWED: 'it does not allow calls from this address',
};

export class ProviderClient {
  readonly #settings: ProviderSettings;
  readonly #pollMs: number;

  constructor(settings: ProviderSettings, every = pollMs) {
    this.#settings = settings;
    this.#pollMs = every;
  }

  get url(): string {
    return this.#settings.url;
  }

  async solve(task: Record<string, unknown>, signal: AbortSignal): Promise<Solved> {
    const created = await this.#call('createTask', { task }, signal);
    if (created.status === 'ready') return solved(created);
    const { taskId } = created;
    if (typeof taskId !== 'string' && typeof taskId !== 'number')
      throw new ProviderError('the provider accepted the task but gave it no id');
    for (;;) {
      await sleep(this.#pollMs, undefined, { signal });
      const result = await this.#call('getTaskResult', { taskId }, signal);
      if (result.status === 'ready') return solved(result);
      if (result.status === 'failed') throw new ProviderError('the provider gave up on it');
    }
  }

  async #call(method: string, content: object, signal: AbortSignal): Promise<Answer> {
    const { url, key, post } = this.#settings;
    const body = JSON.stringify({ clientKey: key, ...content });
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const answer = await post(`${url}/${method}`, { headers, body, timeoutMs: callMs, signal }).catch(
      (error: Error) => {
        signal.throwIfAborted();
        throw new ProviderError(`the provider could not be reached: ${this.#withoutKey(error.message)}`);
      },
    );
    const read = parse(answer.body);
    if (read?.errorId) throw new ProviderError(this.#words(read));
    if (answer.status >= 400 || !read)
      throw new ProviderError(
        `the provider answered ${method} with status ${answer.status} and no usable body`,
      );
    return read;
  }

  #words({ errorCode, errorDescription }: Answer): string {
    const code = String(errorCode ?? 'an error');
    const meaning = meanings[code] ?? String(errorDescription ?? '');
    return this.#withoutKey(`the provider refused (${code})${meaning && `: ${meaning}`}`).slice(
      0,
      longestWords,
    );
  }

  #withoutKey(text: string): string {
    return text.replaceAll(this.#settings.key, '[key]');
  }
}

function parse(text: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const solved = ({ solution, cost }: Answer): Solved => ({
  solution,
  ...((typeof cost === 'string' || typeof cost === 'number') && { cost: String(cost).slice(0, 32) }),
});
