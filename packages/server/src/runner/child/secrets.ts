/**
 * `secrets` as a script sees it. A script says which secret goes into which field; the service types it. Nothing here ever
 * holds a value: the field gets the focus, and the service is asked to type into what has it.
 */
import type { Browser, Locator } from 'playwright-core';
import { limits } from '../wire/wire.ts';
import type { Call } from './call.ts';
import type { Control } from './control.ts';
import { targetOf } from './pages.ts';

/** Stands for the code of the moment of a secret. */
class SecretCode {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
    Object.freeze(this);
  }
}

export class Secrets {
  readonly #control: Pick<Control, 'ask'>;
  #asked = 0;

  constructor(control: Pick<Control, 'ask'>) {
    this.#control = control;
  }

  for(call: Call, browser: Browser): object {
    this.#asked = 0;
    return Object.freeze({
      code: (name: unknown) => new SecretCode(requireName(name)),
      fill: async (field: unknown, secret: unknown, options: { timeout?: number } = {}): Promise<unknown> => {
        if (call.ended) throw new Error('The script has ended.');
        if (++this.#asked > limits.notices)
          throw new Error(`A script may use secrets ${limits.notices} times.`);
        const locator = requireLocator(field);
        const isCode = secret instanceof SecretCode;
        const name = isCode ? secret.name : requireName(secret);
        await ready(locator, options.timeout);
        const asked = {
          op: 'secret',
          name,
          code: isCode,
          targetId: targetOf(browser, locator.page()),
        } as const;
        return (await this.#control.ask(asked)).value;
      },
    });
  }
}

/** Visible, as Playwright waits for it, and with the focus. Whether it can be typed into, the service finds out. */
async function ready(locator: Locator, timeout?: number): Promise<void> {
  const options = timeout === undefined ? {} : { timeout };
  await locator.waitFor({ state: 'visible', ...options });
  await locator.focus(options);
}

function requireLocator(value: unknown): Locator {
  const { page, focus, waitFor } = (value ?? {}) as Partial<Record<string, unknown>>;
  if (typeof page === 'function' && typeof focus === 'function' && typeof waitFor === 'function')
    return value as Locator;
  throw new TypeError('The first argument must be a locator, such as page.getByLabel("Password").');
}

function requireName(value: unknown): string {
  if (typeof value !== 'string' || value === '' || value.length > limits.nameChars)
    throw new TypeError('Name the secret: secrets.fill(locator, "github/password").');
  return value;
}
