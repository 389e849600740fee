/** A tunnel through an HTTP proxy: CONNECT with credentials, parsed by Node's own strict parser. */
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { bracketed, type Target } from '../policy/policy.ts';
import { reasonOf, Unreachable, UpstreamFailed } from './failures.ts';
import { basicAuthorization, type Upstream } from './upstream.ts';

export function connectThroughHttp(socket: Socket, upstream: Upstream, target: Target): Promise<void> {
  const authority = `${bracketed(target.host)}:${target.port}`;
  const authorization = basicAuthorization(upstream);
  return new Promise((resolve, reject) => {
    const asking = request({
      method: 'CONNECT',
      path: authority,
      headers: {
        Host: authority,
        Connection: 'keep-alive',
        ...(authorization && { 'Proxy-Authorization': authorization }),
      },
      createConnection: () => socket,
    });
    asking.once('connect', (answer, _socket, head) => {
      const status = answer.statusCode ?? 0;
      if (status === 407) return reject(authFailed());
      if (status < 200 || status > 299) {
        return reject(new Unreachable('upstream', `the proxy could not connect: it answered ${status}`));
      }
      if (head.length > 0) socket.unshift(head);
      resolve();
    });
    asking.once('error', (error) => {
      reject(new UpstreamFailed('PROXY_UNREACHABLE', `the proxy gave no answer (${reasonOf(error)})`));
    });
    asking.end();
  });
}

export const authFailed = (): UpstreamFailed =>
  new UpstreamFailed('PROXY_AUTH_FAILED', 'the proxy refused the user name or password');
