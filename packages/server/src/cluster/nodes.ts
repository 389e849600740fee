/**
 * The nodes of the database for the operator: which are there, how full they are, and the order to drain one. Whichever node was
 * asked, the order is written to the table, where the node that it is about reads it with its next heartbeat.
 */
import { ApiError } from '../errors.ts';
import { iso, isoOrUndefined } from '../kit/clock.ts';
import { decodeCursor, encodeCursor } from '../kit/cursor.ts';
import type { Log } from '../kit/log.ts';
import { firstPage, type ListPage, type PageQuery } from '../kit/page-of-list.ts';
import type { NodeSeen, Store } from '../store/records.ts';
import type { Cluster } from './interface.ts';
import type { Node } from './schema.ts';

export class Nodes {
  readonly #store: Store;
  readonly #cluster: Pick<Cluster, 'bootId' | 'members'>;
  readonly #log: Log;

  constructor(parts: { store: Store; cluster: Pick<Cluster, 'bootId' | 'members'>; log: Log }) {
    this.#store = parts.store;
    this.#cluster = parts.cluster;
    this.#log = parts.log;
  }

  /** Oldest first, also those that are gone, for as long as the table has them. */
  async list({ cursor, limit }: PageQuery): Promise<ListPage<Node>> {
    const after = cursor === undefined ? undefined : decodeCursor(cursor);
    const isAfter = ({ startedAt, id }: NodeSeen): boolean =>
      after === undefined || startedAt > after.createdAt || (startedAt === after.createdAt && id > after.id);
    return firstPage(
      (await this.#store.nodes.list()).filter(isAfter).slice(0, limit + 1),
      limit,
      ({ startedAt, id }) => encodeCursor({ createdAt: startedAt, id }),
      (node) => this.#view(node),
    );
  }

  async get(id: string): Promise<Node> {
    return this.#view(await this.#find(id));
  }

  /** The node as it is then. Asking again is no mistake, and changes nothing. */
  async drain(id: string, asked: { keyId: string }): Promise<Node> {
    const nodes = await this.#store.nodes.list();
    const node = nodes.find((each) => each.id === id && each.state !== 'gone');
    if (!node) throw noSuchNode();
    if (!nodes.some((each) => each.state === 'up' && each.id !== id))
      throw new ApiError(
        'LAST_NODE',
        'No other node is up that could take the browsers of this one. Start another first, or end the service itself (SIGTERM): its browsers are stopped then, with their state saved.',
      );
    if (!(await this.#store.nodes.drain(node.bootId))) throw noSuchNode();
    this.#log.info({ nodeId: id, ...asked }, 'node.drain_asked');
    return this.get(id);
  }

  async #find(id: string): Promise<NodeSeen> {
    const node = (await this.#store.nodes.list()).find((each) => each.id === id);
    if (!node) throw noSuchNode();
    return node;
  }

  #view(node: NodeSeen): Node {
    const answering = node.bootId === this.#cluster.bootId;
    // Of itself a node knows more than it last told the others.
    const own = answering ? this.#cluster.members().find(({ bootId }) => bootId === node.bootId) : undefined;
    const { used, capacity, warm } = own ?? node;
    return {
      id: node.id,
      state: node.state,
      answering,
      address: node.address ?? undefined,
      zone: node.zone ?? undefined,
      version: node.version ?? undefined,
      browsers: { used, limit: capacity, warm },
      silentMs: Math.max(0, Math.round(node.age)),
      startedAt: iso(node.startedAt),
      goneAt: node.state === 'gone' ? isoOrUndefined(node.goneAt) : undefined,
    };
  }
}

export const noSuchNode = (): ApiError =>
  new ApiError('NODE_NOT_FOUND', 'There is no node with this id, or it is gone.');
