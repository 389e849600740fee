/** What a hostile caller does with the sockets of its browsers: those of CDP clients, and those of viewers. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { inBrowsers, type World } from './world.ts';

type Attack = (world: World) => Promise<void>;
type Kind = 'cdp' | 'live';

/** What the attacker's own process holds back for a service that does not read. */
const mostWaitingBytes = 4 * 1024 ** 2;

async function socketOf(world: World, id: string, kind: Kind = 'cdp'): Promise<WebSocket> {
  const { text } = await world.ask('POST', `/v1/browsers/${id}/capabilities`, { kind });
  const { url, socketUrl = url } = JSON.parse(text) as { url: string; socketUrl?: string };
  const socket = new WebSocket(socketUrl, { perMessageDeflate: false });
  await once(socket, 'open');
  socket.on('error', () => undefined);
  world.until.addEventListener('abort', () => socket.terminate());
  return socket;
}

/** Keeps a socket of each browser busy until it is closed. */
const onSockets =
  (kind: Kind, everyMs: number, work: (socket: WebSocket) => void): Attack =>
  (world) =>
    inBrowsers(world, async (id) => {
      const socket = await socketOf(world, id, kind);
      const closed = once(socket, 'close');
      socket.on('message', () => undefined);
      const timer = setInterval(() => work(socket), everyMs);
      const [code] = (await closed.finally(() => clearInterval(timer))) as [number];
      world.did(`${kind} socket closed with ${code}`);
    });

/** Sends as fast as the socket takes it. */
const flood =
  (message: (n: number) => string, kind: Kind = 'cdp'): Attack =>
  (world) => {
    let n = 0;
    return onSockets(kind, 5, (socket) => {
      const before = n;
      while (n < before + 2000 && socket.bufferedAmount < mostWaitingBytes) socket.send(message(n++));
      world.did('messages', n - before);
    })(world);
  };

/** One of these at a time. */
const large =
  (message: string, kind: Kind = 'cdp'): Attack =>
  (world) =>
    onSockets(kind, 20, (socket) => {
      if (socket.bufferedAmount > 1024) return;
      socket.send(message);
      world.did(`messages of ${message.length} bytes`);
    })(world);

/** The kernel's buffers fill, then those of the service. */
const withoutReading =
  (send: (socket: WebSocket, n: number) => void, kind: Kind = 'cdp'): Attack =>
  (world) =>
    onSockets(kind, 10, (socket) => {
      socket.pause();
      let n = 0;
      while (n < 5000 && socket.bufferedAmount < mostWaitingBytes) send(socket, n++);
      world.did('messages that are not read', n);
    })(world);

const ping = (socket: WebSocket): void => socket.ping();

/** A viewer that draws each picture at once. */
export async function watch(world: World, id: string): Promise<void> {
  const socket = await socketOf(world, id, 'live');
  socket.on('message', (_data, isBinary) => {
    if (!isBinary) return;
    world.did('pictures seen');
    socket.send('{"type":"ready"}');
  });
  await once(socket, 'close');
}

const manyValues = `{"type":"text","text":[${Array.from({ length: 1_900_000 }, () => '0').join()}]}`;

export const socketAttacks: Record<string, Attack> = {
  'socket: small commands as fast as it can': flood(
    (n) => `{"id":${n},"method":"Target.getTargets","params":{}}`,
  ),
  'socket: commands that are refused': flood((n) => `{"id":${n},"method":"Browser.crash"}`),
  'socket: texts that are no commands': flood(() => 'x'),
  'socket: commands of 50 MB': large(
    `{"id":1,"method":"Runtime.evaluate","params":{"expression":"${'x'.repeat(50e6)}"}}`,
  ),
  'socket: asks and does not read': withoutReading((socket, n) =>
    socket.send(`{"id":${n},"method":"Target.getTargets","params":{}}`),
  ),
  'socket: pings and does not read': withoutReading(ping),
  'view: small messages as fast as it can': flood(() => '{"type":"ready"}', 'live'),
  'view: 4 MB of small values, of a viewer who may only watch': large(manyValues, 'live'),
  'view: pings and does not read': withoutReading(ping, 'live'),
};
