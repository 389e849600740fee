import { randomBytes } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import {
  type AddressInfo,
  connect as connectTo,
  createServer as createRelayServer,
  type Server as RelayServer,
  type Socket,
} from 'node:net';
import { fastify } from 'fastify';
import { WebSocket, WebSocketServer } from 'ws';
import { ElsewhereError } from '../../browsers/browsers.ts';
import type { Cluster, Member, Whereabouts } from '../../cluster/cluster.ts';
import { readConfig } from '../../config.ts';
import { newId } from '../../kit/id.ts';
import { createLog } from '../../kit/log.ts';
import { collectSockets, routeUpgrades, takeSocket } from '../sockets/sockets.ts';
import { type App, askForBody, createErrorReply, createNodeServer, requestIdOf } from '../wire/wire.ts';
import { Hops } from './hops.ts';
import { createInnerListener } from './inner-listener.ts';
import { passCallsOn } from './pass-calls-on.ts';
import { Splices } from './splices.ts';

/**
 * Nodes for the tests of this folder: real listeners and connections between them. In place of the database is one map,
 * and in place of browsers are routes that do what a test needs.
 */
export class TestNodes implements AsyncDisposable {
  readonly secret = randomBytes(32);
  readonly nodes: TestNode[] = [];
  /** Who holds a browser: a node, none, or none yet. */
  readonly holders = new Map<string, TestNode | 'none' | 'waits'>();
  /** How often a browser was looked up. */
  looks = 0;

  async add(): Promise<TestNode> {
    const node = new TestNode(this);
    await node.open();
    this.nodes.push(node);
    return node;
  }

  members(): Member[] {
    return this.nodes.filter(({ gone }) => !gone).map((node) => node.member());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()));
  }
}

const log = createLog('silent');

export class TestNode {
  readonly bootId = newId('node');
  readonly #all: TestNodes;
  readonly splices = new Splices();
  /** What its handlers were asked for, in order. */
  readonly handled: string[] = [];
  readonly room = { used: 0, max: 10 };
  gone = false;
  leaseHeld = true;
  /** How often it was asked for its lease. */
  leaseLooks = 0;
  /** The nodes to which it sent creates, in order. */
  readonly sent: string[] = [];
  readonly replaced = Promise.withResolvers<string>();
  /** The Chromiums of its browsers are being started. */
  comingUp = false;
  /** Awaited by every handler, after it has noted its call. */
  gate: () => Promise<void> = async () => undefined;
  hungUp = 0;
  url = '';
  #hops!: Hops;
  #app!: App;
  #inner!: Server;
  #port = 0;
  readonly #connections = new Set<Socket>();
  #relay!: RelayServer;
  #silent = false;

  constructor(all: TestNodes) {
    this.#all = all;
  }

  member(): Member {
    const { used, max: capacity } = this.room;
    return {
      ...{ id: this.bootId, bootId: this.bootId, address: `127.0.0.1:${this.#port}`, state: 'up' },
      ...{ version: null, zone: null, capacity, used, warm: 0, silentMs: 0, startedAt: 0 },
    };
  }

  async open(): Promise<void> {
    const config = readConfig({ BROWSERD_PORT: '0' });
    let isSocket: ReturnType<typeof collectSockets> = () => false;
    this.#app = fastify({
      serverFactory: (listener) => createNodeServer(config, log, listener, (request) => isSocket(request)),
      genReqId: requestIdOf,
      bodyLimit: 64 * 1024 ** 2,
      forceCloseConnections: true,
    }) as unknown as App;
    isSocket = collectSockets(this.#app);
    this.#app.setErrorHandler(createErrorReply(log));
    this.#app.decorateRequest('idempotencyKey');
    this.#app.addHook('onRequest', async (request) => {
      request.idempotencyKey = request.headers['idempotency-key'] as string | undefined;
    });
    this.#app.addHook('preParsing', async (request, reply) => askForBody(request, reply));
    this.#hops = new Hops(this.#cluster(), this.#all.secret, { silentMs: 300, patienceMs: 3000 });
    passCallsOn(this.#app, {
      ...{ cluster: this.#cluster(), hops: this.#hops, splices: this.splices },
      ...{ requestTimeout: 30_000, patienceMs: 3000, room: () => this.room, runsHere: () => false },
    });
    this.#routes();
    await this.#app.ready();
    routeUpgrades(this.#app.server, this.#app);
    this.url = await this.#app.listen({ port: 0, host: '127.0.0.1' });
    this.#inner = createInnerListener(
      { app: this.#app, config, log, isSocket: (request) => isSocket(request) },
      this.#all.secret,
    );
    await new Promise<void>((resolve) => this.#inner.listen(0, '127.0.0.1', resolve));
    this.#relay = this.#createRelay((this.#inner.address() as AddressInfo).port);
    await new Promise<void>((resolve) => this.#relay.listen(0, '127.0.0.1', resolve));
    this.#port = (this.#relay.address() as AddressInfo).port;
  }

  /** Other nodes reach it through this, so that a test can cut the way. */
  #createRelay(to: number): RelayServer {
    return createRelayServer((near) => {
      const far = connectTo(to, '127.0.0.1');
      for (const [end, next] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#connections.add(end);
        end.on('error', () => next.destroy()).on('close', () => next.destroy());
        if (!this.#silent) end.pipe(next);
      }
    });
  }

  #isHeld(): boolean {
    this.leaseLooks++;
    return this.leaseHeld;
  }

  #cluster(): Cluster {
    return {
      ...{ bootId: this.bootId, alone: false, lease: { held: () => this.#isHeld() } },
      replaced: this.replaced.promise,
      members: () => this.#all.members(),
      roomiest: () =>
        this.#all
          .members()
          .filter(({ bootId, used, capacity }) => bootId !== this.bootId && used < capacity)
          .sort((a, b) => a.used - b.used),
      noteSent: (bootId: string) => this.sent.push(bootId),
      locate: async (id: string): Promise<Whereabouts> => {
        this.#all.looks++;
        const holder = this.#all.holders.get(id);
        if (holder === undefined) return { at: 'unknown' };
        if (holder === this) return { at: 'here', comesUp: this.comingUp };
        if (typeof holder === 'string') return { at: 'nowhere', waits: holder === 'waits' };
        return { at: 'member', member: holder.member(), epoch: 1 };
      },
    } as unknown as Cluster;
  }

  #routes(): void {
    const app = this.#app;
    const handle = async (what: string, response: ServerResponse): Promise<void> => {
      this.handled.push(what);
      response.once('close', () => {
        if (!response.writableFinished) this.hungUp++;
      });
      await this.gate();
    };
    app.get('/v1/browsers/:id/status', async ({ headers, id }, reply) => {
      await handle('status', reply.raw);
      return { node: this.bootId, id, host: headers.host, key: headers.authorization };
    });
    app.post('/v1/browsers/:id/run', async ({ body }, reply) => {
      await handle(JSON.stringify(body), reply.raw);
      return { node: this.bootId, body };
    });
    app.post('/v1/browsers/:id/stop', async (_request, reply) => {
      await handle('stop', reply.raw);
      return { node: this.bootId };
    });
    app.post('/v1/browsers/:id/resume', { config: { answers: 'holder, or any' } }, async (request, reply) => {
      const { id } = request.params as { id: string };
      await handle('resume', reply.raw);
      if (this.#all.holders.get(id) !== this) throw new ElsewhereError({ id });
      return { node: this.bootId, body: request.body };
    });
    app.get('/v1/browsers/:id/stream', async (_request, reply) => {
      await handle('stream', reply.raw);
      reply.hijack();
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
      reply.raw.write('data: first\n\n');
      await this.gate();
      reply.raw.end('data: last\n\n');
    });
    app.post(
      '/v1/browsers',
      { config: { answers: 'room', idempotency: 'required' } },
      async ({ body }, reply) => {
        await handle(JSON.stringify(body), reply.raw);
        return { node: this.bootId, body };
      },
    );
    const sockets = new WebSocketServer({ noServer: true });
    app.get('/v1/browsers/:id/cdp', { config: { socket: true } }, async ({ raw }, reply) => {
      const taken = takeSocket(raw);
      reply.hijack();
      if (!taken) return;
      sockets.handleUpgrade(raw, taken.socket, taken.head, (socket) =>
        socket.on('message', (data) => socket.send(`heard ${data}`)),
      );
    });
  }

  /** As when the network swallows what comes from it: connections stay, and nothing arrives. */
  fallSilent(): void {
    this.#silent = true;
    for (const end of this.#connections) end.unpipe().pause();
  }

  /** As when its machine is lost: every connection breaks, and it is buried. */
  async kill(): Promise<void> {
    this.gone = true;
    await this.close();
  }

  async close(): Promise<void> {
    this.#hops[Symbol.dispose]();
    for (const socket of this.#connections) socket.destroy();
    await new Promise((resolve) => this.#relay.close(resolve));
    this.#inner.closeAllConnections();
    await new Promise((resolve) => this.#inner.close(resolve));
    await this.#app.close();
  }
}

export function connect(node: TestNode, browserId: string): Promise<WebSocket> {
  const socket = new WebSocket(`${node.url.replace(/^http/, 'ws')}/v1/browsers/${browserId}/cdp`);
  return new Promise((resolve, reject) => socket.once('open', () => resolve(socket)).once('error', reject));
}
