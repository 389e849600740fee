/**
 * Sends a body to its key: small ones in one request, larger ones in parts, which appear there as one when all have arrived.
 * Parts of an upload that fails are given up at once: a bucket keeps, and charges for, every part until then.
 */
import { createHash } from 'node:crypto';
import { failureOfAnswer, S3Failure } from './failures.ts';
import type { S3Requests, Sendable } from './requests.ts';
import type { Spooled } from './spool.ts';
import { elementsOf, escapedXml, textOf } from './xml.ts';

const partsAtOnce = 3;

export async function upload(
  requests: S3Requests,
  key: string,
  { parts, bytes }: Spooled,
  headers: Record<string, string> = {},
): Promise<void> {
  const [only] = parts;
  if (parts.length === 1 && only) {
    await requests.ask({ method: 'PUT', key, headers, body: only });
    return;
  }
  const uploadId = await begin(requests, key);
  try {
    const tags = await sendParts(requests, key, uploadId, parts);
    await complete(requests, { key, uploadId, headers }, tags, bytes);
  } catch (error) {
    // The first failure is the one to tell; what stays is given up by the bucket's own rule (docs/storage.md).
    await abort(requests, key, uploadId).catch(() => undefined);
    throw error;
  }
}

/** Gives up what was begun under a key, by this service or one that was killed. */
export async function abortUploads(requests: S3Requests, key: string): Promise<void> {
  const { body } = await requests
    .ask({ method: 'GET', query: { uploads: '', prefix: key } })
    .catch((error: unknown) => {
      // A server without this list has a rule of its own for what is left.
      if (
        error instanceof S3Failure &&
        ['NotImplemented', 'MethodNotAllowed', '405', '501'].includes(error.reason)
      )
        return { body: '' };
      throw error;
    });
  for (const begun of elementsOf(body, 'Upload')) {
    const uploadId = textOf(begun, 'UploadId');
    if (textOf(begun, 'Key') === key && uploadId) await abort(requests, key, uploadId);
  }
}

async function begin(requests: S3Requests, key: string): Promise<string> {
  const { body } = await requests.ask({ method: 'POST', key, query: { uploads: '' } });
  const uploadId = textOf(body, 'UploadId');
  if (!uploadId) throw failureOfAnswer({ status: 200, headers: {}, body });
  return uploadId;
}

async function sendParts(
  requests: S3Requests,
  key: string,
  uploadId: string,
  parts: readonly Sendable[],
): Promise<string[]> {
  const tags: string[] = [];
  const waiting = parts.entries();
  let failed = false;
  const sender = async (): Promise<void> => {
    for (const [index, body] of waiting) {
      if (failed) return;
      const query = { partNumber: String(index + 1), uploadId };
      const { headers } = await requests.ask({ method: 'PUT', key, query, body });
      tags[index] = headers.etag ?? '';
    }
  };
  const senders = Array.from({ length: partsAtOnce }, () =>
    sender().catch((error: unknown) => {
      failed = true;
      throw error;
    }),
  );
  // All of them have ended before the upload is given up, or a part could arrive after that.
  const ends = await Promise.allSettled(senders);
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
  return tags;
}

async function complete(
  requests: S3Requests,
  { key, uploadId, headers }: { key: string; uploadId: string; headers: Record<string, string> },
  tags: readonly string[],
  bytes: number,
): Promise<void> {
  const list = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapedXml(tag)}</ETag></Part>`,
  );
  const xml = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`);
  const body = {
    bytes: xml.length,
    sha256: createHash('sha256').update(xml).digest('hex'),
    read: () => [xml],
  };
  const query = { uploadId };
  try {
    const answer = await requests.ask({ method: 'POST', key, query, headers, body });
    // It took so long that the status was sent before it was known how it ends.
    if (/<Error[\s>]/.test(answer.body))
      throw failureOfAnswer({ status: 200, headers: {}, body: answer.body });
  } catch (error) {
    // Asked again, because the first answer was lost: then it is all there.
    if (!(error instanceof S3Failure && error.reason === 'NoSuchUpload')) throw error;
    const there = await requests.ask({ method: 'HEAD', key }).catch(() => undefined);
    if (Number(there?.headers['content-length']) !== bytes) throw error;
  }
}

async function abort(requests: S3Requests, key: string, uploadId: string): Promise<void> {
  await requests.ask({ method: 'DELETE', key, query: { uploadId } }).catch((error: unknown) => {
    if (!(error instanceof S3Failure && error.reason === 'NoSuchUpload')) throw error;
  });
}
