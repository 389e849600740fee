/** Addresses that carry a token, so that a person or a client can open them without a key. */
import type { FastifyRequest } from 'fastify';
import type { Capabilities, CapabilityKind, CapabilityMode } from '../../access/access.ts';
import type { PublicUrl } from './public-url.ts';

export interface SignedAddress {
  /** Of `cdp` a WebSocket; of `live` a page, whose token follows the #, so that it reaches no server and no log. */
  url: string;
  /** Of `live`: what that page connects to. */
  socketUrl?: string;
  expiresAt: string;
}

/** An address of one browser, in the name of the caller's key. */
export async function signedAddress(
  { capabilities, publicUrl }: { capabilities: Pick<Capabilities, 'issue'>; publicUrl: PublicUrl },
  request: FastifyRequest,
  wanted: { kind: CapabilityKind; mode: CapabilityMode; browserId: string; ttlSeconds: number },
): Promise<SignedAddress> {
  const { projectId, keyId } = request.principal;
  const { kind, mode, browserId, ttlSeconds } = wanted;
  const until = Date.now() + ttlSeconds * 1000;
  const token = await capabilities.issue({ kind, mode, browserId, projectId, keyId, expiresAt: until });
  const socketUrl = `${publicUrl(request, 'ws')}/v1/browsers/${browserId}/${kind}?token=${token}`;
  const expiresAt = new Date(until).toISOString();
  if (kind === 'cdp') return { url: socketUrl, expiresAt };
  return { url: `${publicUrl(request, 'http')}/live/${browserId}#${token}`, socketUrl, expiresAt };
}
