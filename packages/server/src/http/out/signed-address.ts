/** Addresses that carry a token, so that a person or a client can open them without a key. */
import type { FastifyRequest } from 'fastify';
import type { Capabilities, CapabilityKind, CapabilityMode } from '../../access/access.ts';
import type { Events } from '../../events/events.ts';
import type { PublicUrl } from './public-url.ts';

export interface SignedAddress {
  /** Of `cdp` a WebSocket; of `live` a page, whose token follows the #, so that it reaches no server and no log. */
  url: string;
  /** Of `live`: what that page connects to. */
  socketUrl?: string;
  expiresAt: string;
}

export interface SigningParts {
  capabilities: Pick<Capabilities, 'issue' | 'issueFraming'>;
  events: Pick<Events, 'note'>;
  publicUrl: PublicUrl;
}

interface Wanted {
  kind: Exclude<CapabilityKind, 'content'>;
  mode: CapabilityMode;
  browserId: string;
  ttlSeconds: number;
  /** What it is made for: a caller asked for it, a hand-over, a captcha, or a CDP client that looked for its socket. */
  purpose: 'capability' | 'handoff' | 'captcha' | 'discovery';
  /** Of `live`: the only tab that it is for. */
  tabId?: string;
  /** Of `live`: the origins whose pages may frame it. */
  frameAncestors?: readonly string[];
}

/**
 * An address of one browser, in the name of the caller's key, and the event that says so: every way to such an address
 * leads through here. A caller that came with a token gets none that lives longer.
 */
export async function signedAddress(
  { capabilities, events, publicUrl }: SigningParts,
  request: FastifyRequest,
  wanted: Wanted,
): Promise<SignedAddress> {
  const { projectId, keyId } = request.principal;
  const { kind, mode, browserId, ttlSeconds, purpose, tabId, frameAncestors } = wanted;
  const bound = { ...(tabId !== undefined && { tabId }) };
  const until = Math.min(
    Date.now() + ttlSeconds * 1000,
    request.grant?.expiresAt ?? Number.POSITIVE_INFINITY,
  );
  const token = await capabilities.issue({
    kind,
    mode,
    subjectId: browserId,
    projectId,
    keyId,
    expiresAt: until,
    ...bound,
  });
  const socketUrl = `${publicUrl(request, 'ws')}/v1/browsers/${browserId}/${kind}?token=${token}`;
  const expiresAt = new Date(until).toISOString();
  const data = { kind, mode, purpose, expiresAt, keyId, ...bound, ...(frameAncestors && { frameAncestors }) };
  events.note({ type: 'capability.issued', browserId, projectId, at: Date.now(), data });
  if (kind === 'cdp') return { url: socketUrl, expiresAt };
  const framing = frameAncestors
    ? `?embed=${await capabilities.issueFraming(browserId, frameAncestors)}`
    : '';
  return { url: `${publicUrl(request, 'http')}/live/${browserId}${framing}#${token}`, socketUrl, expiresAt };
}
