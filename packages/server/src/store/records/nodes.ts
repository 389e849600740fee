/** The machines that run browsers. After a crash, the boot id distinguishes a new start of a node from the old one. */
export interface NodeRecord {
  id: string;
  /** Changes with every start of the service. */
  bootId: string;
  startedAt: number;
  heartbeatAt: number;
}

export interface NodeTable {
  /** Registers this boot of the node and returns what was known of the node before. */
  boot(node: NodeRecord): Promise<NodeRecord | undefined>;
  heartbeat(id: string, bootId: string, at: number): Promise<boolean>;
  list(): Promise<NodeRecord[]>;
}
