/**
 * Whether a web page may call the service, for protocols that require the check (MCP, against DNS rebinding). That
 * `Origin` and `Host` agree proves nothing: a rebound name is in both. What counts is a name that an attacker cannot
 * take: the operator's own, that of this machine, or an address in numbers. Programs other than browsers send no
 * `Origin`.
 */
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

export function checkOrigin({ headers }: FastifyRequest, publicUrl: string | null): void {
  const { origin, host } = headers;
  if (origin === undefined) return;
  const from = URL.parse(origin);
  if (from && publicUrl && from.origin === new URL(publicUrl).origin) return;
  if (from && loopback.has(from.hostname)) return;
  if (from && from.host === host && isIP(from.hostname.replace(/^\[|\]$/g, '')) !== 0) return;
  throw new ApiError(
    'FORBIDDEN',
    'Web pages of this origin may not call. If it is the address of this service, set BROWSERD_PUBLIC_URL to it.',
  );
}
