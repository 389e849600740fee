/**
 * Node's own HTTP client (`fetch` and what belongs to it) costs more CPU to load than the rest of a start, and can be in
 * no snapshot. A mention of one of its names loads it, and Playwright's bundles mention them for parts that a runner never
 * uses. So they find stand-ins while they load, and afterwards these names are gone: neither Playwright nor a script has
 * a use for them here. `FormData` stays, unloaded, until a script reads it.
 */
const httpClient = [
  ...['Request', 'Response', 'Headers', 'fetch', 'WebSocket', 'EventSource'],
  ...['MessageEvent', 'CloseEvent', 'ErrorEvent'],
];
/** Not for a snapshot either. */
const storage = ['Storage', 'localStorage', 'sessionStorage'];
/** Loaded by reading them, too; these two come back. */
const readLate = { navigator: undefined, crypto: {} };

/** Left alone until they are used: to read one is to load it. */
export const unloaded: readonly PropertyKey[] = ['FormData'];

/** Returns what ends it, for when the bundles are loaded. */
export function leaveOutGlobals(): () => void {
  const here = globalThis as Record<string, unknown>;
  for (const name of httpClient) here[name] = class {};
  const kept = Object.keys(readLate).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  for (const [name, value] of Object.entries(readLate))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  return () => {
    for (const name of [...httpClient, ...storage]) Reflect.deleteProperty(globalThis, name);
    for (const [name, was] of kept) if (was) Object.defineProperty(globalThis, name, was);
  };
}
