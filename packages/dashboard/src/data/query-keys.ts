/** The cache keys of lists, so that a change can mark a list as stale. */
export const queryKeys = { browsers: ['browsers'], keys: ['keys'], webhooks: ['webhooks'] } as const;
