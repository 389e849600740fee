/**
 * Bytes in a storage that all nodes share, for a node that may have older ones on its own disk, from before the operator
 * chose the storage: they are found there, and go from both.
 */
import type { Blobs } from './blobs.ts';

export const sharedOver = (shared: Blobs, own: Blobs): Blobs => ({
  put: (id, chunks, expectedBytes) => shared.put(id, chunks, expectedBytes),
  open: async (id, range) => (await shared.open(id, range)) ?? (await own.open(id, range)),
  borrow: async (id) => (await shared.borrow(id)) ?? (await own.borrow(id)),
  async remove(id) {
    await own.remove(id);
    await shared.remove(id);
  },
  async clear(id) {
    await own.clear(id);
    await shared.clear(id);
  },
  rewrite: async (id, change) => (await own.rewrite(id, change)) || (await shared.rewrite(id, change)),
  async *ids(prefix) {
    yield* own.ids(prefix);
    yield* shared.ids(prefix);
  },
});
