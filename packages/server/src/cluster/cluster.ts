/** This node among those that use the database: its id, which of its runs this is, its lease, and where browsers are. */
import { joinAlone } from './alone.ts';
import type { Cluster } from './interface.ts';
import type { JoinParts } from './join-parts.ts';
import { joinMembers, paceOf } from './member.ts';

export { hopAgent, hopBoot, hopHeader, hopServerOptions, hopTo } from './hop.ts';
export type { Claims, Cluster, Member, Whereabouts } from './interface.ts';
export { Nodes, noSuchNode } from './nodes.ts';
export { answerReach, reach, reachBack, standIn } from './reach.ts';
export { turnsOf } from './turns-of.ts';

/** With an address, a node among others; otherwise it works alone. */
export const joinCluster = ({
  clusterAddress,
  lease,
  ...parts
}: JoinParts & { clusterAddress: string | null; lease: number }): Promise<Cluster> =>
  clusterAddress === null ? joinAlone(parts) : joinMembers({ ...parts, clusterAddress }, paceOf(lease));
