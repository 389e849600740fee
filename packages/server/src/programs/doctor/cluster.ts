/** What a node of a cluster needs besides: clocks that agree, and the other nodes, in both directions. */
import { once } from 'node:events';
import { reach, reachBack, standIn } from '../../cluster/cluster.ts';
import type { Config } from '../../config.ts';
import { openSealing } from '../../sealing/sealing.ts';
import { askCluster, askPostgres, type KnownNode } from '../../store/store.ts';
import { type Finding, fail, messageOf, ok, warn } from './finding.ts';

const warnMs = 2000;
const refuseMs = 10_000;

/** As at the start of a node, which refuses to run with a clock that is far off. */
export async function checkClocks(databaseUrl: string, ask = askPostgres): Promise<Finding> {
  const name = 'cluster clocks';
  try {
    const askedAt = Date.now();
    const { clock } = await ask(databaseUrl);
    const answeredAt = Date.now();
    const off = clock < askedAt ? clock - askedAt : Math.max(0, clock - answeredAt);
    const detail = `this machine and the database differ by ${(Math.abs(off) / 1000).toFixed(1)} s`;
    const fix =
      'Let the clocks of both machines be kept right (NTP, chrony): nodes refuse to start beyond 10 s.';
    if (Math.abs(off) <= warnMs) return ok(name, detail);
    return Math.abs(off) <= refuseMs ? warn(name, detail, fix) : fail(name, detail, fix);
  } catch (error) {
    return fail(name, messageOf(error), 'Check BROWSERD_DATABASE_URL, and that the server runs.');
  }
}

export async function* checkCluster(config: Config): AsyncGenerator<Finding> {
  const { clusterAddress: own, databaseUrl } = config;
  if (own === null || databaseUrl === null) return;
  yield checkClocks(databaseUrl);
  let known: Awaited<ReturnType<typeof askCluster>>;
  try {
    known = await askCluster(databaseUrl, openSealing(config));
  } catch (error) {
    yield fail('other nodes', messageOf(error), 'Check BROWSERD_DATABASE_URL and BROWSERD_SECRET_KEY.');
    return;
  }
  const others = (known?.nodes ?? []).filter(
    ({ address, silentMs }) => address !== own && silentMs < config.lease,
  );
  if (known?.secret === undefined || others.length === 0) {
    yield ok('other nodes', 'none is up yet');
    return;
  }
  yield* checkReach(own, others, Buffer.from(known.secret, 'hex'));
}

/** Each way of each pair of this node and another; a stand-in answers here when the service does not run. */
export async function* checkReach(
  own: string,
  others: readonly Pick<KnownNode, 'id' | 'address' | 'version'>[],
  secret: Uint8Array,
): AsyncGenerator<Finding> {
  await using closing = new AsyncDisposableStack();
  const port = Number(own.slice(own.lastIndexOf(':') + 1));
  const server = standIn(secret).listen(port, own.slice(0, own.lastIndexOf(':')).replace(/^\[|\]$/g, ''));
  const refused = await once(server, 'listening').then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  );
  if (!refused)
    closing.defer(async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    });
  else if (refused.code !== 'EADDRINUSE') {
    const fix = 'Set BROWSERD_CLUSTER_ADDRESS to an address that this machine has.';
    yield fail('cluster address', `${own}: ${refused.message}`, fix);
    return;
  }
  for (const other of others) yield await bothWays(own, other, secret);
}

async function bothWays(
  own: string,
  { id, address, version }: Pick<KnownNode, 'id' | 'address' | 'version'>,
  secret: Uint8Array,
): Promise<Finding> {
  const name = 'other nodes';
  const there = await reach(address, secret);
  if (there.why !== undefined) {
    const fix = `Let this machine connect to ${address} (firewall, NetworkPolicy, BROWSERD_CLUSTER_ADDRESS of that node).`;
    return fail(name, `${id} cannot be reached at ${address}: ${there.why}`, fix);
  }
  const back = await reachBack(address, secret, own).catch((error: unknown) => ({ why: messageOf(error) }));
  if (back === undefined)
    return warn(
      name,
      `${id} is reached at ${address}, but its version (${version}) cannot say whether it reaches this one`,
      'Bring all nodes to one version.',
    );
  if (back.why === undefined) return ok(name, `${id} at ${address}: reached, and it reaches ${own}`);
  const fix = `Let ${address} connect to ${own} (firewall, NetworkPolicy, BROWSERD_CLUSTER_ADDRESS of this node).`;
  return fail(name, `${id} is reached at ${address}, but does not reach ${own}: ${back.why}`, fix);
}
