/** What a cell of nodes asks of its database, an operation at a time, with the store's own code and browsers that are rows. */

import { createHash, randomInt } from 'node:crypto';
import type { BrowserRecord, Store } from '../../src/store/records.ts';
import { aBrowser } from '../../tests/support/samples.ts';

/** Of one process that stands for several nodes. */
export interface Part {
  /** The nodes that it stands for, which have joined. */
  boots: readonly { id: string; bootId: string }[];
  /** Browsers that these nodes hold; ready, of epoch 1. */
  browserIds: readonly string[];
  projectIds: readonly string[];
  keyHash: string;
  lease: { ttlMs: number; heartbeatMs: number; headStartMs: number };
}

const any = <T>(items: readonly T[]): T => items[randomInt(items.length)] as T;

const token = (n: number): string => createHash('sha512').update(`${n}`).digest('base64');

/** As large as that of a browser that is used: 38 KB, and 8 KB when it is packed. */
const state = {
  cookies: Array.from({ length: 120 }, (_, n) => ({
    name: `cookie-${n}`,
    value: token(n).slice(0, 80).padEnd(180, 'A'),
    domain: `.site-${n % 30}.example`,
    path: '/',
    secure: true,
    httpOnly: n % 2 === 0,
    sameSite: 'Lax',
    expires: 1_900_000_000 + n,
  })),
  tabs: Array.from({ length: 4 }, (_, n) => ({ tabId: `tab-${n}`, url: `https://site-${n}.example/a/page` })),
};

const newBrowser = (
  projectId: string,
  { id: nodeId, bootId: holder }: Part['boots'][number],
): BrowserRecord => {
  const now = Date.now();
  const times = { createdAt: now, lastActionAt: now, expiresAt: now + 600_000, maxDuration: 600_000 };
  return aBrowser({ projectId, nodeId, holder, ...times });
};

/** The operations by name, and how often a second each is asked for by a whole cell of 200 nodes with 50 browsers each. */
export const ratesOfCell = {
  /** Calls that come to another node than the browser's. */
  locate: 2000,
  /** Each call finds its key and its browser. */
  call: 3000,
  /** Every 3 s a node: the lease, and a look at the members. */
  heartbeat: 67,
  reap: 67,
  claim: 200,
  /** The record of a browser changes: activity, status. */
  change: 600,
  /** A browser lives for ten minutes: made, made ready, closed, each with its event. */
  life: 17,
  checkpoint: 1000,
  /** Ten that were noted in a moment. */
  events: 300,
  /** A look for projects whose webhooks are behind or due; the node whose turn it is each second, the others every 10 s. */
  webhooks: 21,
  follow: 80,
} as const;

export type Operation = keyof typeof ratesOfCell;

export function operations(store: Store, part: Part): Record<Operation, () => Promise<unknown>> {
  const browserId = (): string => any(part.browserIds);
  return {
    locate: () => store.placement.locate(browserId()),
    call: async () => {
      await store.keys.findByHash(part.keyHash);
      await store.browsers.get(browserId());
    },
    heartbeat: async () => {
      await store.nodes.renew({ bootId: any(part.boots).bootId, used: 50, warm: 2 });
      await store.nodes.list();
    },
    reap: () => store.nodes.reap(part.lease),
    claim: () => {
      const { id: nodeId, bootId } = any(part.boots);
      return store.placement.claim({ bootId, nodeId, limit: 3, headStartMs: part.lease.headStartMs });
    },
    change: () => store.browsers.change(browserId(), { status: 'ready' }, { lastActionAt: Date.now() }),
    life: async () => {
      const record = newBrowser(any(part.projectIds), any(part.boots));
      const { id, projectId } = record;
      const told = (type: string) => [{ projectId, browserId: id, type, at: Date.now(), data: {} }];
      await store.browsers.insert(record, told('browser.created'));
      await store.browsers.change(
        id,
        { epoch: 1 },
        { status: 'ready', readyAt: Date.now() },
        told('browser.ready'),
      );
      await store.browsers.change(
        id,
        { epoch: 1 },
        { status: 'closed', holder: null, closedAt: Date.now() },
        told('browser.closed'),
      );
    },
    checkpoint: () =>
      store.checkpoints.put({ browserId: browserId(), epoch: 1, at: Date.now(), data: state }),
    events: () => {
      const projectId = any(part.projectIds);
      const data = { url: 'https://site.example/a/page', method: 'GET', status: 200 };
      const event = { projectId, browserId: browserId(), type: 'network.request', at: Date.now(), data };
      return store.events.append(Array.from({ length: 10 }, () => event));
    },
    webhooks: async () => {
      await store.webhooks.projectsWaiting(Date.now());
    },
    follow: () =>
      store.events.list({ projectId: any(part.projectIds), afterSeq: Number.MAX_SAFE_INTEGER, limit: 500 }),
  };
}
