/**
 * How long browsers are away whose node is lost, from the kill until each is ready on another node: of three nodes, one with
 * ten browsers. With its service killed, its witness says so; with both killed, as when a machine is lost, its lease has to
 * run out.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { processTree } from '../src/process/process-tree.ts';
import { type Row, summarize } from './measure.ts';
import { openShared, startNode } from './nodes.ts';
import type { Bench } from './service.ts';

const browsers = 10;
const leaseMs = 10_000;
const lookEveryMs = 20;

type Seen = { status: string; epoch: number };

export async function benchFailover(): Promise<Row[]> {
  await using shared = await openShared();
  const { postgres, blobs } = shared;
  const killed = await lost({ databaseUrl: await postgres.newDatabase(), blobs }, endService);
  const gone = await lost({ databaseUrl: await postgres.newDatabase(), blobs }, endBoth);
  return [
    ...summarize('failover', { 'service killed, until each of 10 is ready': killed }),
    ...summarize('failover', {
      'machine lost, until each of 10 is ready': gone,
      'its lease': [leaseMs],
    }),
  ];
}

async function lost(
  place: { databaseUrl: string; blobs: string },
  end: (node: Bench) => Promise<void>,
): Promise<number[]> {
  await using opened = new AsyncDisposableStack();
  const settings = { BROWSERD_LEASE: `${leaseMs}ms`, BROWSERD_MAX_BROWSERS: String(2 * browsers) };
  const start = async (): Promise<Bench> => opened.use(await startNode(place, settings));
  // The one that will be lost is alone at first, so that all browsers are its own.
  const node = await start();
  const ids: string[] = [];
  for (let n = 0; n < browsers; n++) ids.push((await node.create()).id);
  const others = [await start(), await start()];
  const [other] = others;
  for (const each of others) await each.settled();
  const epochOf = async (id: string) => (await other?.call<Seen>('GET', `/v1/browsers/${id}`))?.epoch ?? 0;
  const before = new Map<string, number>();
  for (const id of ids) before.set(id, await epochOf(id));
  const began = performance.now();
  await end(node);
  return await Promise.all(
    ids.map(async (id) => {
      for (;;) {
        const { status, epoch } = (await other?.call<Seen>('GET', `/v1/browsers/${id}`)) ?? {};
        if (status === 'ready' && (epoch ?? 0) > (before.get(id) ?? 0)) return performance.now() - began;
        if (status === 'failed') throw new Error(`Browser ${id} did not come back.`);
        await sleep(lookEveryMs);
      }
    }),
  );
}

/** The witness lives, as when the kernel kills a service that is out of memory. */
async function endService(witness: Bench): Promise<void> {
  process.kill(await serviceOf(witness), 'SIGKILL');
}

async function endBoth(witness: Bench): Promise<void> {
  const service = await serviceOf(witness);
  process.kill(witness.pid, 'SIGKILL');
  process.kill(service, 'SIGKILL');
}

async function serviceOf(witness: Bench): Promise<number> {
  const below = (await processTree(witness.pid)).filter(({ pid }) => pid !== witness.pid);
  const service = below.find(({ pid }) =>
    readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('/programs/main'),
  );
  if (!service) throw new Error('The witness has no service.');
  return service.pid;
}
