import type { Store } from '../../src/store/records.ts';

/** Bytes on the disk of a node that have no record and no boot that writes them. */
export async function looseIds(
  store: Store,
  on: { nodeId: string; bootId: string },
  after = '',
  limit = 1000,
): Promise<string[]> {
  const loose = await store.artifacts.takeLoose({ ...on, shared: false }, after, limit);
  return loose.map(({ id }) => id);
}
