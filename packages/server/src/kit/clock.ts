/** ISO-8601 in UTC with milliseconds, the only way a time leaves the service. */
export const iso = (ms: number): string => new Date(ms).toISOString();

export const isoOrUndefined = (ms: number | null | undefined): string | undefined =>
  ms === null || ms === undefined ? undefined : iso(ms);

export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

const longestTimeout = 2 ** 31 - 1;

/**
 * Calls back once at a time that may lie further away than setTimeout can count (24.8 days),
 * and never keeps the process alive. The return value is its off switch.
 */
export function callAt(at: number, callback: () => void): () => void {
  let timer: NodeJS.Timeout;
  const arm = (): void => {
    const left = at - Date.now();
    timer = setTimeout(left > longestTimeout ? arm : callback, Math.min(Math.max(left, 0), longestTimeout));
    timer.unref();
  };
  arm();
  return () => clearTimeout(timer);
}
