/** A create with a saved profile beside one without, warm and with an empty pool; and what twenty copies take on the disk. */
import { chmod, lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Row, summarize, timed } from './measure.ts';
import { type Bench, startBench } from './service.ts';

const megabytes = 5;
const readersAtOnce = 20;
const policy = { privateAccess: { localhost: true } };

/** Keeps random bytes in IndexedDB, which no compression makes smaller. */
const page = `<!doctype html><title>filling</title><script>
const request = indexedDB.open('data', 1);
request.onupgradeneeded = () => request.result.createObjectStore('things');
request.onsuccess = () => {
  const transaction = request.result.transaction('things', 'readwrite');
  for (let n = 0; n < ${megabytes * 16}; n++)
    transaction.objectStore('things').put(crypto.getRandomValues(new Uint8Array(65536)), n);
  transaction.oncomplete = () => { document.cookie = 'kept=1; max-age=86400'; document.title = 'filled'; };
};
</script>`;

async function startPage(): Promise<{ origin: string } & AsyncDisposable> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Made {
  id: string;
}

/** Saved twice: what was in a log lies in tables after the second time, as it does in a profile that is in use. */
async function largeProfile(bench: Bench, origin: string): Promise<{ id: string; size: number }> {
  const { id } = await bench.call<Made>('POST', '/v1/profiles', {});
  for (const startUrl of [origin, undefined]) {
    const writer = await bench.create({
      policy,
      profile: { id, save: 'close' },
      ...(startUrl && { startUrl }),
    });
    while (startUrl) {
      const status = await bench.call<{ activeTab: { title: string } }>(
        'GET',
        `/v1/browsers/${writer.id}/status`,
      );
      if (status.activeTab.title === 'filled') break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await bench.remove(writer.id);
  }
  return bench.call('GET', `/v1/profiles/${id}`);
}

/** Bytes that the files below a folder take: all of them, and each file that several names lead to once. */
async function bytesIn(folder: string): Promise<{ named: number; stored: number }> {
  const seen = new Set<number>();
  const sum = { named: 0, stored: 0 };
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const found = await lstat(join(entry.parentPath, entry.name)).catch(() => undefined);
    if (!found) continue;
    sum.named += found.blocks * 512;
    if (!seen.has(found.ino)) sum.stored += found.blocks * 512;
    seen.add(found.ino);
  }
  return sum;
}

const MiB = (bytes: number): number => bytes / 1024 ** 2;

export async function benchProfiles(): Promise<Row[]> {
  const light: number[] = [];
  const warm: number[] = [];
  const lightUsed: number[] = [];
  const warmUsed: number[] = [];
  const large: number[] = [];
  const cold: number[] = [];
  await using site = await startPage();
  {
    await using bench = await startBench({ BROWSERD_POOL_SIZE: '2' });
    const storageState = {
      cookies: [{ name: 'session', value: 'x'.repeat(64), domain: '127.0.0.1', path: '/' }],
      origins: [{ origin: site.origin, localStorage: [{ name: 'token', value: 'x'.repeat(500) }] }],
    };
    const { id } = await bench.call<Made>('POST', '/v1/profiles', { storageState });
    for (let round = 0; round < 12; round++)
      for (const [body, into, used] of [
        [{ profile: { id } }, light, lightUsed],
        [{}, warm, warmUsed],
      ] as const) {
        await bench.settled();
        const { ms, value } = await timed(() => bench.create(body));
        // Local storage is put in behind the answer; what leads somewhere waits for it.
        const path = `/v1/browsers/${value.id}/script/execute`;
        const rest = await timed(() => bench.call('POST', path, { code: 'return 1' }));
        if (round >= 2) {
          into.push(ms);
          used.push(ms + rest.ms);
        }
        await bench.remove(value.id);
      }
  }
  const scratch = await mkdtemp(join(tmpdir(), 'browserd-bench-scratch-'));
  // The browsers of a service that was started as root run as another user, which must be able to enter.
  await chmod(scratch, 0o711);
  try {
    await using bench = await startBench({
      BROWSERD_POOL_SIZE: '0',
      BROWSERD_SCRATCH_DIR: join(scratch, 's'),
    });
    const { id, size } = await largeProfile(bench, site.origin);
    for (let round = 0; round < 10; round++)
      for (const [body, into] of [
        [{ profile: { id } }, large],
        [{}, cold],
      ] as const) {
        const { ms, value } = await timed(() => bench.create(body));
        if (round >= 2) into.push(ms);
        await bench.remove(value.id);
      }
    const all = await Promise.all(
      Array.from({ length: readersAtOnce }, () => bench.create({ profile: { id } })),
    );
    const { named, stored } = await bytesIn(scratch);
    for (const browser of all) await bench.remove(browser.id);
    return [
      ...summarize('profiles', {
        'create with cookies and local storage, warm': light,
        'create, warm': warm,
      }),
      ...summarize('profiles', {
        'create with both and a first script, warm': lightUsed,
        'create and a first script, warm': warmUsed,
      }),
      ...summarize('profiles', {
        [`create with ${MiB(size).toFixed(1)} MiB of IndexedDB, empty pool`]: large,
        'create, empty pool': cold,
      }),
      ...summarize(
        'profiles',
        {
          [`on the disk for ${readersAtOnce} copies at once`]: [MiB(stored)],
          'if each had all of it': [MiB(named)],
        },
        'MiB',
      ),
    ];
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
