import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { Pool } from 'pg';
import { inject } from 'vitest';
import type { Api } from './client.ts';
import { createDatabase } from './postgres.ts';
import {
  type Folders,
  type HowStarted,
  makeFolders,
  type ServerProcess,
  type Settings,
  spawnServer,
} from './server.ts';

/**
 * Several services as an operator would run them: processes of their own, each with its own folders, on one PostgreSQL
 * database and one shared folder for bytes. They can be killed, paused, started again; what they agreed on is in the database.
 */
export interface TestCluster extends AsyncDisposable {
  nodes: TestNode[];
  databaseUrl: string;
  /** The same for all nodes. */
  key: string;
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** The node that holds a browser, by the database; undefined while none does. */
  holderOf(browserId: string): Promise<TestNode | undefined>;
  /** All nodes but this one that run. */
  othersOf(node: TestNode): TestNode[];
  /** Another node, with the same settings; it runs when this resolves. */
  add(settings?: Settings, how?: HowStarted): Promise<TestNode>;
}

export interface ClusterOptions {
  nodes?: number;
  settings?: Settings;
  /** Of one node, by its place in the list. */
  each?: (index: number) => Settings;
  /** Until a silent node's browsers are taken. On a busy machine a short one is lost without any fault. */
  lease?: string;
  /** Each service has one, as when an operator starts it. */
  witness?: boolean;
  /** The server that the database is made on; that of all tests unless given. */
  postgresUrl?: string;
}

/** `npm run test:cluster`: what needs many tries to show itself is tried so often. */
export const repeats = process.env.BROWSERD_CLUSTER_TESTS === 'whole' ? 19 : 0;

const key = 'a-key-of-all-nodes-of-a-test-cluster';
/** What one node has sealed, the others open. */
const sealingKey = '5a'.repeat(32);

/** The first node comes up alone, so that one migrates the database and makes the key; the others at once. */
export async function startCluster(options: ClusterOptions = {}): Promise<TestCluster> {
  const { nodes: count = 2, settings = {}, each = () => ({}), lease = '30s', witness, postgresUrl } = options;
  await using opened = new AsyncDisposableStack();
  const databaseUrl = await createDatabase(postgresUrl ?? inject('postgresUrl'));
  const database = new Pool({ connectionString: databaseUrl, max: 2 });
  // One that a test takes away is connected to again by the next question.
  database.on('error', () => undefined);
  opened.defer(() => database.end());
  const shared = opened.use(await makeFolders());
  const nodes: TestNode[] = [];
  let owner: AsyncDisposableStack = opened;
  const make = async (own: Settings, how: HowStarted = {}): Promise<TestNode> => {
    const folders = owner.use(
      await makeFolders({
        BROWSERD_API_KEY: key,
        BROWSERD_SECRET_KEY: sealingKey,
        BROWSERD_DATABASE_URL: databaseUrl,
        BROWSERD_CLUSTER_ADDRESS: `127.0.0.1:${await freePort()}`,
        BROWSERD_BLOBS: `${shared.dataDir}-blobs`,
        BROWSERD_LEASE: lease,
        ...settings,
        ...own,
      }),
    );
    const node = owner.use(new TestNode(folders, { witness, ...how }));
    nodes.push(node);
    return node;
  };
  for (let index = 0; index < count; index++) await make(each(index));
  const [first, ...others] = nodes;
  await first?.start();
  await Promise.all(others.map((node) => node.start()));
  const closing = opened.move();
  owner = closing;
  const sql: TestCluster['sql'] = async (text, values) => (await database.query(text, values)).rows as never;
  return {
    nodes,
    databaseUrl,
    key,
    sql,
    async holderOf(browserId) {
      const [row] = await sql<{ id: string | null }>(
        'select n.id from browsers b left join nodes n on n.boot_id = b.holder where b.id = $1',
        [browserId],
      );
      const ids = await Promise.all(nodes.map((node) => node.id()));
      return row?.id ? nodes[ids.indexOf(row.id)] : undefined;
    },
    othersOf: (node) => nodes.filter((other) => other !== node && other.runs),
    async add(own = {}, how = {}) {
      const node = await make(own, how);
      await node.start();
      return node;
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

export class TestNode implements AsyncDisposable {
  readonly folders: Folders;
  /** Of its next start. */
  readonly how: HowStarted;
  #running: ServerProcess | undefined;

  constructor(folders: Folders, how: HowStarted = {}) {
    this.folders = folders;
    this.how = how;
  }

  get runs(): boolean {
    return this.#running !== undefined;
  }

  get process(): ServerProcess {
    if (!this.#running) throw new Error('The node does not run.');
    return this.#running;
  }

  get api(): Api {
    return this.process.api;
  }

  /** Where other nodes reach it, `host:port`. */
  get address(): string {
    return this.folders.env.BROWSERD_CLUSTER_ADDRESS ?? '';
  }

  /** As in the database; a node has one from its first start on. */
  async id(): Promise<string> {
    return (await readFile(`${this.folders.dataDir}/node-id`, 'utf8').catch(() => '')).trim();
  }

  /** Resolves when it serves callers. Once more after it has ended: the same node, another boot. */
  async start(settings: Record<string, string> = {}): Promise<void> {
    this.#running = await spawnServer({ ...this.folders.env, ...settings }, undefined, this.how);
    const running = this.#running;
    void running.exited.then(() => {
      if (this.#running === running) this.#running = undefined;
    });
  }

  /** All of it, without a word, as when its machine is lost. */
  async kill(): Promise<void> {
    const { child, exited } = this.process;
    const service = await this.servicePid();
    child.kill('SIGKILL');
    if (service !== child.pid) process.kill(service, 'SIGKILL');
    await exited;
  }

  /** The service itself, where a witness is its parent. */
  async servicePid(): Promise<number> {
    const { pid = 0 } = this.process.child;
    if (!this.how.witness) return pid;
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return Number(children.trim().split(' ')[0] || pid);
  }

  /** In good order, as an operator stops it. */
  async stop(): Promise<{ code: number | null }> {
    const { child, exited } = this.process;
    child.kill('SIGTERM');
    return exited;
  }

  /** It does nothing at all until it goes on, and does not notice. */
  pause(): void {
    this.process.child.kill('SIGSTOP');
  }

  goOn(): void {
    this.process.child.kill('SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#running) return;
    this.goOn();
    await this.kill();
  }
}

/** Free a moment ago; a node must know its address before it listens there. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
