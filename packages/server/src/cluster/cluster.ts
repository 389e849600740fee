/** This node among those that use the database: its id, which of its runs this is, its lease, and where browsers are. */
import { joinAlone } from './alone.ts';
import type { Cluster } from './interface.ts';
import type { JoinParts } from './join-parts.ts';

export type { Cluster, Lease, Load, Member, Whereabouts } from './interface.ts';
export { Nodes, noSuchNode } from './nodes.ts';

export const joinCluster = (parts: JoinParts): Promise<Cluster> => joinAlone(parts);
