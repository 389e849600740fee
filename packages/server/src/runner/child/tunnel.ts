/**
 * `context.request` is HTTP made by Playwright itself, not by the browser. It is configured with a proxy that does not
 * exist; a connection to that proxy becomes a stream to the service, which ends at the browser's egress proxy.
 */
import net from 'node:net';
import type { Duplex } from 'node:stream';

const proxyAddress = { host: 'egress.invalid', port: 3128 } as const;
export const proxyUrl = `http://${proxyAddress.host}:${proxyAddress.port}`;

/** Node's `net` for Playwright. Connections to any other address are made as usual and fail at the walls of the box. */
export function netWithTunnel(openStream: () => Duplex): typeof net {
  const connect = (...args: unknown[]): unknown => {
    const [target] = args as [{ host?: string; port?: unknown }];
    if (target?.host !== proxyAddress.host) return Reflect.apply(net.connect, net, args);
    return asSocket(openStream());
  };
  // Its getters stay getters: what they would load can be in no snapshot.
  const others = Object.defineProperties({} as typeof net, Object.getOwnPropertyDescriptors(net));
  return Object.assign(others, { connect, createConnection: connect });
}

/** The methods beside reading and writing that an HTTP client calls on a socket. */
function asSocket(stream: Duplex): Duplex {
  const same = () => stream;
  process.nextTick(() => stream.emit('connect'));
  return Object.assign(stream, {
    setKeepAlive: same,
    setNoDelay: same,
    setTimeout: same,
    ref: same,
    unref: same,
  });
}
