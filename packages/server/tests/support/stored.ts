import { unpackItems } from '../../src/browsers/running/local-storage.ts';
import { openStore } from '../../src/store/store.ts';

/** What the store says, beside what the API says. */
export async function withStore<T>(
  dataDir: string,
  work: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>,
  databaseUrl: string | null = null,
): Promise<T> {
  const store = await openStore({ databaseUrl, dataDir });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

export const eventsOf = (dataDir: string, browserId: string) =>
  withStore(dataDir, async (store) => {
    const record = await store.browsers.get(browserId);
    return store.events.list({ projectId: record?.projectId ?? '', browserId, limit: 100 });
  });

/** What the last checkpoint has of the local storage of an origin. */
export const savedItems = (
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl?: string | undefined },
  browserId: string,
  origin: string,
): Promise<Record<string, string>> =>
  withStore(
    dataDir,
    async (store) => {
      const items = await store.localStorage.get(browserId, origin);
      return items ? Object.fromEntries(JSON.parse(await unpackItems(items))) : {};
    },
    databaseUrl,
  );
