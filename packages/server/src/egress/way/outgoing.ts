/**
 * The service's own calls to addresses that callers have named (webhooks), under the rules that hold for browsers:
 *
 *   literal at first sight ──> name resolved, every address checked ──> exactly that address dialled ──> TLS for the host
 *
 * No redirects, no kept connections, an answer of bounded size. The service's own listeners are never a target.
 */
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { SetupError } from '../../kit/setup-error.ts';
import {
  decideUnresolved,
  type EgressPolicy,
  isOwnListener,
  isOwnPort,
  type Listener,
  normalizeHost,
  PolicyError,
  privateAccessIn,
  readPolicy,
  type Target,
} from '../policy/policy.ts';
import { secured } from './choose-way.ts';
import { dial, type Network } from './dial.ts';
import { Refused } from './failures.ts';
import type { Gate } from './gate.ts';
import { Names, type NamesOptions, type Resolve } from './names.ts';

export interface OutgoingMessage {
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
  signal?: AbortSignal;
  /** Whose message it is; absent: the service's own. Names that never resolve hold up no messages of others. */
  of?: string;
}

export interface Outgoing {
  /** Why this address can never be called, as far as that is known without asking a name server. */
  objection(url: string): string | undefined;
  /** Fails with a message for people when there is no answer. */
  post(
    url: string,
    message: OutgoingMessage,
  ): Promise<{ status: number; headers: IncomingMessage['headers']; body: string }>;
}

export interface OutgoingOptions {
  privateAccess: EgressPolicy['privateAccess'];
  ownListeners: () => Listener[];
  names?: NamesOptions;
  resolve?: Resolve;
  /** Absent: this node is alone. */
  gate?: Gate | undefined;
}

const never = new AbortController().signal;

/** The answer is read to its end, but only up to this size. */
const mostRead = 64 * 1024;

/** As the operator allows it; a wrong setting is a reason not to start. */
export function openOutgoing({
  allowed,
  ...options
}: Omit<OutgoingOptions, 'privateAccess'> & { allowed: readonly string[] }): Outgoing {
  try {
    return createOutgoing({ ...options, privateAccess: privateAccessIn(allowed) });
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    throw new SetupError(`BROWSERD_WEBHOOK_PRIVATE_ACCESS is wrong: ${error.reason}.`);
  }
}

export function createOutgoing({
  privateAccess,
  ownListeners,
  names,
  resolve,
  gate,
}: OutgoingOptions): Outgoing {
  const rules = readPolicy({ privateAccess });
  const resolvers = new Map<string, Resolve>();
  const resolverOf = (whose: string): Resolve => {
    const found = resolve ?? resolvers.get(whose) ?? new Names(names).resolve;
    resolvers.set(whose, found);
    return found;
  };
  const networkOf = (whose: string): Network => ({
    resolve: resolverOf(whose),
    isOwn: (address, port) => isOwnListener(address, port, ownListeners()),
    isOwnPort: (port) => isOwnPort(port, ownListeners()),
    track: (socket) => gate?.guard(socket),
    gate,
  });
  return {
    objection(text) {
      const url = URL.parse(text);
      if (!url || !/^https?:$/.test(url.protocol))
        return 'expected an address that begins with https:// or http://';
      if (url.username || url.password) return 'expected an address without user name and password';
      const target = targetOf(url);
      if (target === undefined) return 'expected an address with a valid host';
      const rule = decideUnresolved(rules, target);
      return rule && `the host is not allowed (${rule}); the operator can allow it in the configuration`;
    },
    async post(text, { timeoutMs, signal, of = '', ...message }) {
      const url = new URL(text);
      // Before its time begins: that this node may not act now is no fault of the receiver's.
      await gate?.passage(signal ?? never);
      const late = AbortSignal.timeout(timeoutMs);
      const giveUp = signal ? AbortSignal.any([signal, late]) : late;
      try {
        return await exchange(url, await open(url, networkOf(of), giveUp), message, giveUp);
      } catch (error) {
        if (late.aborted) throw new Error(`no answer within ${timeoutMs} ms`);
        if (!(error instanceof Refused)) throw error;
        // The message leaves the address out: a caller must not learn the addresses of an internal network this way.
        throw new Error(`${url.hostname} is not allowed (${error.rule})`);
      }
    },
  };

  async function open(url: URL, network: Network, signal: AbortSignal): Promise<Socket> {
    const target = targetOf(url);
    if (target === undefined) throw new Refused('invalid_host');
    const socket = await dial(rules, target, network, signal);
    socket.on('error', () => undefined);
    return target.scheme === 'https' ? secured(socket, target.host, network, signal) : socket;
  }
}

function targetOf(url: URL): Target | undefined {
  const host = normalizeHost(url.hostname);
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  return host === undefined
    ? undefined
    : { scheme, host, port: Number(url.port) || (scheme === 'https' ? 443 : 80) };
}

async function exchange(
  url: URL,
  socket: Socket,
  { headers, body }: { headers: Record<string, string>; body: string },
  signal: AbortSignal,
): Promise<{ status: number; headers: IncomingMessage['headers']; body: string }> {
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const call = request({
        createConnection: () => socket,
        method: 'POST',
        path: url.pathname + url.search,
        headers: {
          ...headers,
          host: url.host,
          'content-length': Buffer.byteLength(body),
          connection: 'close',
        },
        signal,
      });
      call.once('response', resolve).once('error', reject);
      call.once('close', () => reject(new Error('the connection was closed without an answer')));
      call.end(body);
    });
    const read: Buffer[] = [];
    let size = 0;
    for await (const chunk of answer) {
      read.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > mostRead) break;
    }
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(read).toString() };
  } finally {
    socket.destroy();
  }
}
