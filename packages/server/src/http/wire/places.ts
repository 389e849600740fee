/**
 * Places for connections. When all are taken, a connection that waits without a request gives its place up: first those
 * that never sent one, then those that are kept alive, each time the oldest of the address that has most. So a crowd of
 * silent clients keeps no other caller out, and none of them /health; only requests that are being answered can.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Place {
  address: string;
  /** Requests that were sent whole, and those of them that are being answered. */
  sent: number;
  open: number;
}

/** Node's own limit is the last resort: it cannot tell one connection from another. */
const beyond = 256;

export function keepPlaces(server: Server, most: number, onDropped: (address: string) => void): void {
  // In the order in which they came.
  const places = new Map<Socket, Place>();
  server.maxConnections = most + beyond;
  server.on('connection', (socket: Socket) => {
    const place = { address: socket.remoteAddress ?? '', sent: 0, open: 0 };
    places.set(socket, place);
    socket.once('close', () => places.delete(socket));
    if (places.size <= most) return;
    const leaving = leastNeeded(places);
    onDropped(places.get(leaving)?.address ?? '');
    places.delete(leaving);
    leaving.destroy();
  });
  const busy = ({ socket }: IncomingMessage, answered?: ServerResponse): void => {
    const place = places.get(socket);
    if (!place) return;
    place.sent++;
    place.open++;
    answered?.once('close', () => place.open--);
  };
  server.prependListener('request', busy);
  server.prependListener('checkContinue', busy);
  // Open until the socket closes.
  server.prependListener('upgrade', (request) => busy(request));
}

function leastNeeded(places: Map<Socket, Place>): Socket {
  const all = [...places];
  const silent = all.filter(([, { sent }]) => sent === 0);
  const resting = all.filter(([, { open }]) => open === 0);
  // The newest is always silent, so there is one; it leaves if all others are at work.
  const others = silent.slice(0, -1);
  return oldestOfMost(others.length > 0 ? others : resting.length > 1 ? resting.slice(0, -1) : silent);
}

function oldestOfMost(candidates: [Socket, Place][]): Socket {
  const count = Map.groupBy(candidates, ([, { address }]) => address);
  const [crowd] = [...count.values()].sort((a, b) => b.length - a.length);
  return crowd![0]![0];
}
