import { openStore } from '../../src/store/store.ts';

/** What the store says, beside what the API says. */
export async function withStore<T>(
  dataDir: string,
  work: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>,
): Promise<T> {
  const store = await openStore({ databaseUrl: null, dataDir });
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
