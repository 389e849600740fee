import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { Access } from '../../access/access.ts';
import { openTestStore } from '../../access/test-store.ts';
import { newId } from '../../kit/id.ts';
import { createLog } from '../../kit/log.ts';
import type { Attachment, Visitor } from '../../page/reach/attachments.ts';
import { openCdpSocket } from './cdp-socket.ts';
import { LargeMessages } from './large-messages.ts';
import { Sockets } from './open-sockets.ts';
import { routeUpgrades } from './upgrade.ts';

/** The socket alone, over real connections; in place of a browser is what the test wants to hear and say. */
class Line implements Attachment {
  visitor: Visitor | undefined;
  readonly heard: string[] = [];
  closed = 0;
  takes = true;
  /** Held by every attach. */
  gate: Promise<void> = Promise.resolve();

  attach = async (_project: string, _id: string, visitor: Visitor): Promise<Attachment> => {
    this.visitor = visitor;
    await this.gate;
    return this;
  };

  send(message: Buffer): boolean {
    this.heard.push(message.toString());
    return this.takes;
  }

  async close(): Promise<void> {
    this.closed++;
  }
}

async function open(heartbeatMs = 30_000) {
  const opened = await openTestStore();
  const log = createLog('silent');
  const access = new Access({ store: opened.store, log });
  const { id: projectId } = await access.ensureProject('default');
  const { id: keyId } = await access.createKey(projectId, { name: 'a', role: 'member' });
  const sockets = new Sockets({ heartbeatMs });
  const line = new Line();
  const server = createServer();
  const caller = {
    projectId,
    keyId,
    role: 'member' as const,
    browserId: newId('browser'),
    requestId: newId('req'),
  };
  routeUpgrades(server, {
    routing: (request, response: ServerResponse) => {
      void openCdpSocket({ access, attachments: line, sockets, log }, request, caller).catch((error: Error) =>
        response.end(error.message),
      );
    },
  });
  /** The service's ends, oldest first. */
  const ends: Socket[] = [];
  server.on('connection', (end) => ends.push(end));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    access,
    sockets,
    line,
    port,
    ends,
    keyId,
    projectId,
    connect: async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { perMessageDeflate: false });
      const closed = once(socket, 'close').then(([code, reason]) => `${code} ${reason}`);
      await once(socket, 'open');
      return { socket, closed };
    },
    [Symbol.asyncDispose]: async () => {
      await sockets.close();
      server.close();
      await opened[Symbol.asyncDispose]();
    },
  };
}

const handshake = (
  headers = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n',
) => `GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n`;

test('nothing is read from a client while the browser does not read', async () => {
  await using at = await open();
  const { socket } = await at.connect();
  at.line.takes = false;
  socket.send('one');
  await expect.poll(() => at.line.heard).toEqual(['one']);
  const { visitor } = at.line;
  socket.send('two');
  // What another client says later is heard first.
  (await at.connect()).socket.send('three');
  await expect.poll(() => at.line.heard).toEqual(['one', 'three']);
  visitor?.onDrain();
  await expect.poll(() => at.line.heard).toEqual(['one', 'three', 'two']);
});

test('the browser’s end is the socket’s, with its code; the client’s end is the attachment’s', async () => {
  await using at = await open();
  const first = await at.connect();
  at.line.visitor?.onEnd('crashed');
  expect(await first.closed).toBe(
    '4002 BROWSER_CRASHED: Chromium ended and is being recovered; connect again',
  );
  await expect.poll(() => at.line.closed).toBe(1);
  const second = await at.connect();
  second.socket.close();
  await expect.poll(() => at.line.closed).toBe(2);
});

test('a message that is too large ends the socket before it is sent', async () => {
  await using at = await open();
  const { socket, closed } = await at.connect();
  // A frame that announces a gigabyte.
  (socket as unknown as { _socket: NodeJS.WritableStream })._socket.write(
    Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0x40, 0, 0, 0, 1, 2, 3, 4]),
  );
  expect(await closed).toBe('1009 PAYLOAD_TOO_LARGE: a message was larger than 100 MiB');
});

test('a client whose key is revoked is sent away at the next beat', async () => {
  await using at = await open(50);
  const { closed } = await at.connect();
  await at.access.revokeKey(at.projectId, at.keyId);
  expect(await closed).toMatch(/^4004 UNAUTHENTICATED/);
});

test('a client that gives no sign of life is ended, a silent one that answers is not', async () => {
  await using at = await open(50);
  const dead = connect(at.port, '127.0.0.1', () => dead.write(handshake()));
  const { socket } = await at.connect();
  let pings = 0;
  socket.on('ping', () => pings++);
  await once(dead.resume(), 'close');
  await expect.poll(() => pings).toBeGreaterThan(5);
  expect(socket.readyState).toBe(WebSocket.OPEN);
});

/** More than the kernel takes for a client that does not read. */
const much = Buffer.alloc(32 * 1024 ** 2, 'x');

test('of the pings of a client that does not read the last one is answered, when it reads again', async () => {
  await using at = await open();
  const { socket } = await at.connect();
  const pongs: string[] = [];
  socket.on('pong', (data) => pongs.push(data.toString()));
  socket.pause();
  at.line.visitor?.onMessage(much);
  const before = at.ends[0]?.writableLength ?? 0;
  expect(before).toBeGreaterThan(0);
  for (let n = 0; n < 1000; n++) socket.ping(String(n));
  socket.send('the last');
  await expect.poll(() => at.line.heard).toEqual(['the last']);
  expect((at.ends[0]?.writableLength ?? 0) - before).toBeLessThan(10);
  socket.resume();
  await expect.poll(() => pongs).toEqual(['0', '999']);
});

test('a client that talks and takes nothing of what waits for it is ended', async () => {
  await using at = await open(20);
  const { socket, closed } = await at.connect();
  socket.pause();
  at.line.visitor?.onMessage(much);
  const talking = setInterval(() => socket.send('still here'), 5);
  await expect.poll(() => at.line.closed).toBe(1);
  clearInterval(talking);
  socket.resume();
  expect(await closed).toBe('1006 ');
});

test('short messages that a client does not take count as the memory they take', async () => {
  await using at = await open();
  const { socket } = await at.connect();
  let heard = 0;
  socket.on('message', () => heard++);
  socket.pause();
  at.line.visitor?.onMessage(much);
  const before = at.line.visitor?.waitingBytes() ?? 0;
  for (let n = 0; n < 1000; n++) at.line.visitor?.onMessage(Buffer.from('{}'));
  expect((at.line.visitor?.waitingBytes() ?? 0) - before).toBeGreaterThan(500_000);
  socket.resume();
  await expect.poll(() => heard).toBe(1001);
  await expect.poll(() => at.line.visitor?.waitingBytes()).toBe(0);
});

test('a client that is ended while its large message waits for room is gone when there is room', async () => {
  await using at = await open();
  const { socket, closed } = await at.connect();
  const others = new LargeMessages(at.projectId);
  await others.enter(64 * 1024 ** 2);
  const part = Buffer.alloc(600_000, 'x');
  for (const fin of [false, false, true]) socket.send(part, { fin, binary: false });
  await expect.poll(() => at.ends[0]?.isPaused()).toBe(true);
  at.ends[0]?.destroy();
  await closed;
  await expect.poll(() => at.line.closed).toBe(1);
  others.close();
  await new Promise(setImmediate);
  expect(at.line.heard).toEqual([]);
});

test('a handshake that is none is refused in the common shape, and what was opened for it is closed', async () => {
  await using at = await open();
  const odd = connect(at.port, '127.0.0.1', () => odd.write(handshake('Sec-WebSocket-Version: 13\r\n')));
  let answer = '';
  odd.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  await once(odd, 'close');
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*"code":"INVALID_REQUEST"/s);
  expect(at.line.closed).toBe(1);
});

test('a client that hangs up while it is let in leaves nothing behind', async () => {
  await using at = await open();
  const { promise, resolve } = Promise.withResolvers<void>();
  at.line.gate = promise;
  const gone = connect(at.port, '127.0.0.1', () => gone.write(handshake()));
  await expect.poll(() => at.line.visitor).toBeDefined();
  gone.resetAndDestroy();
  await once(gone, 'close');
  resolve();
  await expect.poll(() => at.line.closed).toBe(1);
});

test('once the sockets are closed nobody is let in', async () => {
  await using at = await open();
  const { closed } = await at.connect();
  await at.sockets.close();
  expect(await closed).toMatch(/^1001 SERVICE_SHUTTING_DOWN/);
  const late = new WebSocket(`ws://127.0.0.1:${at.port}/`);
  await expect(once(late, 'open')).rejects.toThrow(/200/);
});
