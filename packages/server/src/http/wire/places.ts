/**
 * Places for connections. When all are taken, one that is needed least gives its place up: first those that never sent a
 * request, then those that never showed a key, then those that are kept alive; each time the oldest of the address that
 * has most. So a crowd without keys keeps no caller out. Callers with keys can only take all places together (each project
 * has limits of its own), and a reserve behind them stays open for health checks, metrics and admin keys.
 *
 *   silent ──request──> strange ──key──> busy <──request, answer──> resting
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isIPv6, type Socket } from 'node:net';

type Group = 'silent' | 'strange' | 'resting';
/** In the order in which they leave. */
const groups: readonly Group[] = ['silent', 'strange', 'resting'];

interface Place {
  address: string;
  /** Requests that were sent whole, and those of them that are being answered. */
  sent: number;
  open: number;
  known: boolean;
  group: Group | 'busy';
}

/** Node's own limit is the last resort: it cannot tell one connection from another. */
const beyond = 64;

const kept = new WeakMap<Server, Places>();

export function keepPlaces(server: Server, most: number, onDropped: (address: string) => void): Places {
  const places = new Places(most, onDropped);
  kept.set(server, places);
  server.maxConnections = most + places.reserve + beyond;
  server.on('connection', (socket: Socket) => places.enter(socket));
  const busy = ({ socket }: IncomingMessage, response?: ServerResponse): void =>
    places.begin(socket, response);
  server.prependListener('request', busy);
  server.prependListener('checkContinue', busy);
  // Open until the socket closes.
  server.prependListener('upgrade', (request) => busy(request));
  return places;
}

/** The places of a server that was made with them. */
export const placesOf = (server: Server): Places => {
  const places = kept.get(server);
  if (!places) throw new Error('The server was made without places.');
  return places;
};

export class Places {
  /** Places beyond the limit, half of them for those who have yet to say who they are. */
  readonly reserve: number;
  readonly #most: number;
  readonly #onDropped: (address: string) => void;
  readonly #places = new Map<Socket, Place>();
  /** By address, each in the order in which they came to be in the group. */
  readonly #waiting: Record<Group, Map<string, Set<Socket>>> = {
    silent: new Map(),
    strange: new Map(),
    resting: new Map(),
  };
  #busy = 0;

  constructor(most: number, onDropped: (address: string) => void) {
    this.#most = most;
    this.#onDropped = onDropped;
    this.reserve = Math.max(4, Math.ceil(most / 16));
  }

  enter(socket: Socket): void {
    const address = networkOf(socket.remoteAddress ?? '');
    const place: Place = { address, sent: 0, open: 0, known: false, group: 'silent' };
    this.#places.set(socket, place);
    this.#join(socket, place);
    socket.once('close', () => this.#forget(socket));
    if (this.#places.size <= Math.max(this.#most, this.#busy + this.reserve / 2)) return;
    const leaving = this.#leastNeeded(socket);
    this.#onDropped(this.#places.get(leaving)?.address ?? '');
    this.#forget(leaving);
    leaving.destroy();
  }

  begin(socket: Socket, response?: ServerResponse): void {
    const place = this.#places.get(socket);
    if (!place) return;
    place.sent++;
    place.open++;
    this.#regroup(socket, place);
    // Many parts of the service wait for the end of an answer.
    response?.setMaxListeners(20).once('close', () => {
      place.open--;
      this.#regroup(socket, place);
    });
  }

  /** The caller on this connection has shown a key that is good. */
  know(socket: Socket): void {
    const place = this.#places.get(socket);
    if (!place || place.known) return;
    place.known = true;
    this.#regroup(socket, place);
  }

  /** Callers with keys have all places but the reserve, and this connection is none of theirs. */
  isCrowded(socket: Socket): boolean {
    return this.#busy >= this.#most && this.#places.get(socket)?.group !== 'busy';
  }

  #leastNeeded(newest: Socket): Socket {
    for (const group of groups) {
      let crowd: Set<Socket> | undefined;
      for (const set of this.#waiting[group].values()) {
        const size = set.size - Number(set.has(newest));
        if (size > 0 && size > (crowd ? crowd.size - Number(crowd.has(newest)) : 0)) crowd = set;
      }
      // The newest is the last of its set, so the first is another.
      const [oldest] = crowd ?? [];
      if (oldest) return oldest;
    }
    return newest;
  }

  #groupOf({ sent, open, known }: Place): Place['group'] {
    if (sent === 0) return 'silent';
    if (!known) return 'strange';
    return open === 0 ? 'resting' : 'busy';
  }

  #regroup(socket: Socket, place: Place): void {
    const group = this.#groupOf(place);
    if (group === place.group || !this.#places.has(socket)) return;
    this.#leave(socket, place);
    place.group = group;
    this.#join(socket, place);
  }

  #join(socket: Socket, { group, address }: Place): void {
    if (group === 'busy') {
      this.#busy++;
      return;
    }
    const waiting = this.#waiting[group];
    const set = waiting.get(address) ?? new Set();
    waiting.set(address, set.add(socket));
  }

  #leave(socket: Socket, { group, address }: Place): void {
    if (group === 'busy') {
      this.#busy--;
      return;
    }
    const waiting = this.#waiting[group];
    const set = waiting.get(address);
    set?.delete(socket);
    if (set?.size === 0) waiting.delete(address);
  }

  #forget(socket: Socket): void {
    const place = this.#places.get(socket);
    if (!place) return;
    this.#leave(socket, place);
    this.#places.delete(socket);
  }
}

/** One client has a whole network of IPv6 addresses. */
function networkOf(address: string): string {
  return isIPv6(address) && !address.includes('.') ? address.split(':').slice(0, 4).join(':') : address;
}
