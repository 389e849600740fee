/**
 * Settings of a service whose machine has a clock that is set wrong: the time of day is off by so much, in its process and in
 * its threads, and the monotonic clock runs as everywhere.
 */
export const clockAhead = (ms: number): Record<string, string> => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
    const now = () => right.now() + ${ms};
    const right = Date;
    globalThis.Date = new Proxy(right, {
      construct: (_, args, target) => Reflect.construct(right, args.length > 0 ? args : [now()], target),
      apply: () => new right(now()).toString(),
      get: (_, name, receiver) => (name === 'now' ? now : Reflect.get(right, name, receiver)),
    });`)}`,
});
