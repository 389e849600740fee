/** What must hold for the service to take work, each found out on the spot. */
import type { Capacity, WarmBrowsers } from './browsers/browsers.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { Check, Readiness } from './http/http.ts';
import { checkDisk } from './kit/disk-room.ts';
import type { Isolation } from './process/process.ts';
import type { Store } from './store/records.ts';

/** Profiles that find no room in the scratch folder go to the disk of the exchange folder, but small things stay there. */
const shareOfScratch = 1 / 16;

export function createReadiness(parts: {
  config: {
    dataDir: string;
    scratchDir: string;
    exchangeDir: string;
    storageReserve: number;
    sandbox: string;
  };
  store: Store;
  pool: WarmBrowsers;
  capacity: Capacity;
  node: Pick<Cluster, 'alone' | 'lease' | 'members'>;
  isolation: Isolation;
  /** Which Chromium it is, for people. */
  chromium: string;
}): Readiness {
  const { dataDir, scratchDir, exchangeDir, storageReserve } = parts.config;
  const sandbox = parts.config.sandbox === 'on';
  return {
    async check() {
      const [store, disks, scratch] = await Promise.all([
        checkStore(parts.store),
        checkDisk([dataDir, exchangeDir], storageReserve),
        checkDisk([scratchDir], storageReserve * shareOfScratch),
      ]);
      const freeBytes = Math.min(disks.freeBytes ?? 0, scratch.freeBytes ?? 0);
      const disk = { ...(disks.ok ? scratch : disks), freeBytes };
      const { used, max, waiting } = parts.capacity.usage();
      const problem = parts.pool.problem();
      const pool = parts.pool.size();
      return {
        store,
        chromium: { ok: problem === undefined, detail: problem ?? parts.chromium, pool },
        sandbox: {
          // An operator who keeps the service for one project has chosen that by name.
          ok: sandbox || parts.isolation.oneProject === true,
          detail: sandbox ? parts.isolation.detail : 'BROWSERD_SANDBOX is off',
          isolation: parts.isolation.mode,
        },
        disk,
        ...(!parts.node.alone && { lease: checkLease(parts.node) }),
        capacity: {
          // A load balancer that took a full service away would cut off the browsers that live there.
          ok: true,
          full: used >= max,
          detail: used < max ? 'there is room' : 'every browser is in use; creates are refused or queued',
          used,
          max,
          waiting,
        },
      };
    },
  };
}

/** Without it a node lets nothing of its browsers out; versions are told, for an upgrade that goes from node to node. */
function checkLease({ lease, members }: Pick<Cluster, 'lease' | 'members'>): Check {
  const nodes = members().filter(({ state }) => state === 'up');
  const versions = [...new Set(nodes.map(({ version }) => version ?? 'unknown'))].sort();
  return lease.held()
    ? { ok: true, detail: 'held', nodes: nodes.length, versions }
    : { ok: false, detail: 'the database has not renewed it in time', nodes: nodes.length, versions };
}

async function checkStore(store: Store): Promise<Check> {
  try {
    await store.ping();
    return { ok: true, detail: store.kind };
  } catch (error) {
    return { ok: false, detail: (error as Error).message };
  }
}
