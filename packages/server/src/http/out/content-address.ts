/**
 * Addresses of content that need no key: of a file, a download, a recording. A `<video>` streams from one, a person opens one.
 * Each is bound to that one record, acts in the name of the key that asked for it, and ends with the record, with that key, or
 * when its time is over. What it answers is what the caller itself would get: an attachment, under a policy that runs nothing.
 */
import type { FastifyRequest } from 'fastify';
import type { ContentAddress } from '../../artifacts/schema.ts';
import type { SigningParts } from './signed-address.ts';

interface Wanted {
  /** Of the record, without `/content`. */
  path: string;
  id: string;
  /** Whose it is; without one it is a file of the project. */
  browserId?: string;
  ttlSeconds: number;
  /** When the record itself goes. */
  recordExpiresAt?: number | null;
}

export async function contentAddress(
  {
    capabilities,
    events,
    publicUrl,
  }: Omit<SigningParts, 'capabilities'> & {
    capabilities: Pick<SigningParts['capabilities'], 'issue'>;
  },
  request: FastifyRequest,
  { path, id, browserId, ttlSeconds, recordExpiresAt }: Wanted,
): Promise<ContentAddress> {
  const { projectId, keyId } = request.principal;
  const until = Math.min(Date.now() + ttlSeconds * 1000, recordExpiresAt ?? Number.POSITIVE_INFINITY);
  const kind = 'content';
  const mode = 'view';
  const token = await capabilities.issue({ kind, mode, subjectId: id, projectId, keyId, expiresAt: until });
  const expiresAt = new Date(until).toISOString();
  const at = Date.now();
  if (browserId === undefined)
    events.note({
      type: 'file.address_issued',
      browserId: id,
      projectId,
      at,
      data: { fileId: id, expiresAt, keyId },
    });
  else
    events.note({
      type: 'capability.issued',
      browserId,
      projectId,
      at,
      data: { kind, mode, purpose: 'content', recordId: id, expiresAt, keyId },
    });
  return { url: `${publicUrl(request, 'http')}${path}/content?token=${token}`, expiresAt };
}
