/** The machines that run browsers. After a crash, the boot id distinguishes a new start of a node from the old one. */
export interface NodeRecord {
  id: string;
  /** Changes with every start of the service. */
  bootId: string;
  startedAt: number;
  /** 0: it left in good order. */
  heartbeatAt: number;
}

/** Which other boots may be alive. */
export interface Hearing {
  /** By the clock of the node that asks. */
  since: number;
  /** They were watched, and gave no further sign. */
  silent: readonly NodeRecord[];
  /** The boot of this node before, which is known to be over. */
  ownBefore: string | undefined;
}

export interface NodeTable {
  /**
   * Registers this boot of the node, unless others may be alive: then it returns them, and registers nothing. Without
   * `hearing` it does not look.
   */
  boot(node: NodeRecord, hearing?: Hearing): Promise<NodeRecord[]>;
  /** False when another boot has taken the place of this one. */
  heartbeat(id: string, bootId: string, at: number): Promise<boolean>;
  leave(id: string, bootId: string): Promise<void>;
  list(): Promise<NodeRecord[]>;
}
