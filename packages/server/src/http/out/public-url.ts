/**
 * The base of the addresses that are handed out. Behind a proxy only the operator knows it (BROWSERD_PUBLIC_URL);
 * headers such as X-Forwarded-Host are not trusted, since every client can send them. Otherwise it is the `Host` of the
 * request, and so affects only the caller that sent it; where that is no plain host and port, the address of the
 * listener is used.
 */
import type { FastifyRequest } from 'fastify';

const plainHost = /^([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:\d{1,5})?$/;

export type PublicUrl = (request: FastifyRequest, protocol: 'http' | 'ws') => string;

export const createPublicUrl =
  (configured: string | null): PublicUrl =>
  (request, protocol) => {
    const base = configured ?? `http://${hostOf(request)}`;
    return protocol === 'ws' ? base.replace(/^http/, 'ws') : base;
  };

function hostOf({ raw }: FastifyRequest): string {
  const { host = '' } = raw.headers;
  if (plainHost.test(host) && URL.canParse(`http://${host}`)) return host;
  const { localAddress = '127.0.0.1', localPort } = raw.socket;
  const address = localAddress.replace(/^::ffff:/, '');
  return `${address.includes(':') ? `[${address}]` : address}:${localPort}`;
}
