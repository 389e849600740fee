/**
 * `context.request` is HTTP made by Playwright itself, not by the browser. It is told of a proxy that exists nowhere;
 * a connection to that proxy becomes a stream to the service, which ends at the browser's egress proxy.
 */
import net from 'node:net';
import type { Duplex } from 'node:stream';

const proxyAddress = { host: 'egress.invalid', port: 3128 } as const;
export const proxyUrl = `http://${proxyAddress.host}:${proxyAddress.port}`;

/** Node's `net` as Playwright gets it. Any other address takes the ordinary way, which ends at the wall of the box. */
export function netWithTunnel(openStream: () => Duplex): typeof net {
  const connect = (...args: unknown[]): unknown => {
    const [target] = args as [{ host?: string; port?: unknown }];
    if (target?.host !== proxyAddress.host) return Reflect.apply(net.connect, net, args);
    return asSocket(openStream());
  };
  return { ...net, connect, createConnection: connect } as typeof net;
}

/** The few things an HTTP client does with a socket beside reading and writing. */
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
