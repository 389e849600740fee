/** The cache keys of lists, so that a change can mark a list as stale. What begins with `browsers` is stale with it. */
export const queryKeys = {
  browsers: ['browsers'],
  counts: ['browsers', 'counts'],
  waiting: ['browsers', 'waiting'],
  profiles: ['profiles'],
  jobs: ['jobs'],
  keys: ['keys'],
  nodes: ['nodes'],
  secrets: ['secrets'],
  webhooks: ['webhooks'],
} as const;
