/**
 * Calls of one browser share a process, and with it the objects outside their own scopes: the language's, the
 * platform's, Playwright's classes. What a call changes there would mislead the next one, so a runner that finds
 * anything changed after a call serves no other. The functions for that are taken before any script runs.
 */
import { unloaded } from './globals.ts';

const { ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const { is } = Object;

interface Remembered {
  object: object;
  keys: PropertyKey[];
  values: unknown[];
  getters: unknown[];
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** Values of plain properties only: reading an accessor may do something. */
function* platformObjects(): Generator<object> {
  for (const name of ownKeys(globalThis)) {
    if (unloaded.includes(name)) continue;
    const value = getOwnPropertyDescriptor(globalThis, name)?.value;
    if (!isObject(value) || value === globalThis) continue;
    yield value;
    const prototype = getOwnPropertyDescriptor(value, 'prototype')?.value;
    if (isObject(prototype)) yield prototype;
  }
  const used = [Buffer, URL, URLSearchParams, TextEncoder, TextDecoder, AbortController, AbortSignal];
  for (const each of used) yield* [each, each.prototype];
  yield getPrototypeOf([][Symbol.iterator]()) as object;
  yield getPrototypeOf(async () => undefined) as object;
}

function* classesOf(instances: readonly object[]): Generator<object> {
  for (const instance of instances)
    for (let here = getPrototypeOf(instance); here; here = getPrototypeOf(here)) yield here;
}

function remember(object: object): Remembered {
  const keys = ownKeys(object);
  const found = keys.map((key) => getOwnPropertyDescriptor(object, key));
  return { object, keys, values: found.map((each) => each?.value), getters: found.map((each) => each?.get) };
}

/** Returns a function that says whether anything has changed since. */
export function watchRealm(instances: readonly object[]): () => boolean {
  const known = [...new Set([...platformObjects(), ...classesOf(instances)])].map(remember);
  return () => {
    for (let i = 0; i < known.length; i++) if (hasChanged(known[i] as Remembered)) return true;
    return false;
  };
}

/** No iteration and no method of the realm itself: a script may have replaced those. */
function hasChanged({ object, keys, values, getters }: Remembered): boolean {
  if (ownKeys(object).length !== keys.length) return true;
  for (let i = 0; i < keys.length; i++) {
    const now = getOwnPropertyDescriptor(object, keys[i] as PropertyKey);
    if (now === undefined || now.get !== getters[i]) return true;
    if (!is(now.value, values[i])) return true;
  }
  return false;
}
