/**
 * Of several nodes on one database, which one does what any of them could. Rooms are given it, so that they know nothing of
 * other nodes. A guess may be wrong for a moment, when a node has come or gone: two nodes think that it is theirs, or none.
 * So whatever is done in turn must allow for both: that two nodes do it, and that none does yet.
 */
export interface Turn {
  /** How many nodes there are, this one included. */
  nodes(): number;
  /** It is this node that looks first after what has this name. No other node is asked. */
  isMine(name: string): boolean;
  /** A chore that one node does in each period; true: this one, now. */
  take(chore: string, periodMs: number): Promise<boolean>;
}

/** Of a node that has a database for itself. */
export const alwaysMine: Turn = { nodes: () => 1, isMine: () => true, take: async () => true };
