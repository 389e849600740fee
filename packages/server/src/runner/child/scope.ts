/**
 * The globals of one call: the language, a few things of the web platform, and the globals of browserd. A new realm for
 * every call, so that nothing one call leaves on a global or a prototype is seen by the next.
 *
 * Playwright lives in the runner's own realm. What comes from there (errors, arrays) would not be `instanceof` the
 * script's Error or Array, so these answer for both realms.
 */
import { webcrypto } from 'node:crypto';
import { constants, createContext, Script } from 'node:vm';
import { type Call, calls } from './call.ts';
import type { AsyncFunctionOf } from './compile.ts';

export interface Scope {
  globals: object;
  AsyncFunction: AsyncFunctionOf;
}

const twinTypes = {
  Object,
  Function,
  Array,
  ArrayBuffer,
  Uint8Array,
  Date,
  RegExp,
  Map,
  Set,
  Promise,
  Error,
  AggregateError,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};

const preparation = `(twins, argsJson) => {
  const ordinary = Function.prototype[Symbol.hasInstance];
  for (const [name, twin] of Object.entries(twins)) {
    const own = globalThis[name];
    Object.defineProperty(own, Symbol.hasInstance, {
      value(value) { return ordinary.call(this, value) || (this === own && ordinary.call(twin, value)); },
    });
  }
  return { args: argsJson === undefined ? undefined : JSON.parse(argsJson), AsyncFunction: (async () => {}).constructor };
}`;
let prepare: Script | undefined;

/** Making a realm takes most of a millisecond, so one is made ahead while no call waits. */
let spare: object | undefined;
export const prepareNextScope = (): void => {
  spare ??= createContext(constants.DONT_CONTEXTIFY as unknown as object);
};

export function createScope(call: Call, args: unknown, given: Record<string, unknown>): Scope {
  prepareNextScope();
  const globals = spare as object;
  spare = undefined;
  prepare ??= new Script(preparation);
  const inside = prepare.runInContext(globals)(
    twinTypes,
    args === undefined ? undefined : JSON.stringify(args),
  );
  const all = { ...webPlatform, ...timersOf(call), ...given, args: inside.args };
  for (const [name, value] of Object.entries(all))
    Object.defineProperty(globals, name, { value, writable: true, configurable: true, enumerable: false });
  offerFormData(globals);
  return { globals, AsyncFunction: inside.AsyncFunction };
}

const webPlatform: Record<string, unknown> = {
  AbortController,
  AbortSignal,
  Blob,
  Buffer,
  DOMException,
  Event,
  EventTarget,
  File,
  TextDecoder,
  TextEncoder,
  URL,
  URLPattern,
  URLSearchParams,
  atob,
  btoa,
  crypto: webcrypto,
  structuredClone,
};

/** These are the runner's own, shared by all calls: no call may change them for another. */
function keepAsIs<T>(shared: T): T {
  Object.freeze(shared);
  if (typeof shared === 'function' && shared.prototype) Object.freeze(shared.prototype);
  return shared;
}
for (const shared of Object.values(webPlatform)) keepAsIs(shared);

/** Loaded when a script first reads it. */
function offerFormData(globals: object): void {
  const settle = (value: unknown): void => {
    Object.defineProperty(globals, 'FormData', {
      value,
      writable: true,
      configurable: true,
      enumerable: false,
    });
  };
  Object.defineProperty(globals, 'FormData', {
    get() {
      const value = keepAsIs(FormData);
      settle(value);
      return value;
    },
    set: settle,
    configurable: true,
    enumerable: false,
  });
}

function timersOf(call: Call): Record<string, unknown> {
  const starter =
    (kind: 'timeout' | 'interval') =>
    (callback: unknown, ms?: number, ...rest: unknown[]): number => {
      if (typeof callback !== 'function') throw new TypeError('The first argument must be a function.');
      return call.startTimer(kind, () => void calls.run(call, () => callback(...rest)), ms);
    };
  const stop = (id: unknown): void => call.stopTimer(id);
  return {
    performance: { now: () => performance.now(), timeOrigin: performance.timeOrigin },
    setTimeout: starter('timeout'),
    setInterval: starter('interval'),
    setImmediate: (callback: () => void, ...rest: unknown[]) =>
      call.startTimer('immediate', () => void Reflect.apply(callback, undefined, rest)),
    clearTimeout: stop,
    clearInterval: stop,
    clearImmediate: stop,
    queueMicrotask: (callback: () => void) => queueMicrotask(() => call.ended || callback()),
    sleep: (ms: number) =>
      new Promise<void>((resolve) => {
        call.startTimer('timeout', resolve, ms);
      }),
  };
}
