/** Names of the contract, such as `blocked_domain`, as words. */
export const asWords = (name: unknown): string =>
  (typeof name === 'string' && name !== '' ? name : 'unknown').replaceAll(/[_-]/g, ' ');
