/** What this node needs for others, opened as one: the way to them, the listener for them, and what is under way. */
import { promisify } from 'node:util';
import type { Cluster } from '../../cluster/cluster.ts';
import { SetupError } from '../../kit/setup-error.ts';
import { Hops } from './hops.ts';
import { createInnerListener, type InnerParts } from './inner-listener.ts';
import type { PassingOnParts } from './pass-calls-on.ts';
import { placeOf } from './place-of.ts';
import { Splices } from './splices.ts';

/** Longer than a hand-over takes, and a recovery on another machine. */
const patienceMs = 10_000;

export interface OtherNodes extends AsyncDisposable {
  passing: PassingOnParts;
  splices: Splices;
  /** Nodes that share the work, this one included. */
  count(): number;
  listen(): Promise<void>;
}

export interface OthersParts {
  cluster: Cluster;
  /** Where the others reach this node. */
  address: string;
  /** Whether the Chromium of a browser is this node's. */
  runsHere(browserId: string): boolean;
  /** For browsers and guests, on this node. */
  room(): { used: number; max: number };
}

export async function openOtherNodes(parts: InnerParts & OthersParts): Promise<OtherNodes> {
  const { cluster, config, runsHere, room } = parts;
  const place = placeOf(parts.address);
  const secret = await cluster.secret();
  const hops = new Hops(cluster, secret);
  const splices = new Splices();
  const inner = createInnerListener(parts, secret);
  const { requestTimeout } = config;
  return {
    passing: { cluster, hops, splices, runsHere, room, requestTimeout, patienceMs },
    splices,
    count: () => Math.max(1, cluster.members().filter(({ state }) => state === 'up').length),
    async listen() {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const fail = (error: Error): void => reject(cannotListen(parts.address, error));
      inner.once('error', fail).listen(place.port, place.host, resolve);
      await promise;
      inner.off('error', fail);
    },
    async [Symbol.asyncDispose]() {
      hops[Symbol.dispose]();
      const closed = inner.listening ? promisify(inner.close).call(inner) : undefined;
      inner.closeAllConnections();
      await closed;
    },
  };
}

const cannotListen = (address: string, error: Error): SetupError =>
  new SetupError(
    `The address for other nodes, ${address}, cannot be used: ${error.message}. Set BROWSERD_CLUSTER_ADDRESS to a host name or address of this machine, and to a port that no other program has.`,
  );
