import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The secret of a key, and the session token that must come with it. */
export type S3Keys = ReadonlyMap<string, { secret: string; token?: string }>;

const farApartMs = 15 * 60_000;
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * What is wrong with a request, in the words of S3, by the description of Signature Version 4 of AWS. Undefined: nothing,
 * and it is from the owner of the key.
 */
export function signatureProblem(
  request: IncomingMessage,
  body: Buffer,
  { keys, region, now }: { keys: S3Keys; region: string; now: number },
): { status: number; code: string; extra?: string } | undefined {
  const { headers } = request;
  const header =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const match = header.exec(headers.authorization ?? '');
  if (!match) return { status: 403, code: 'AccessDenied' };
  const [, id = '', day = '', signedRegion = '', signedHeaders = '', signature = ''] = match;
  const key = keys.get(id);
  if (!key) return { status: 403, code: 'InvalidAccessKeyId' };
  if (signedRegion !== region)
    return { status: 400, code: 'AuthorizationHeaderMalformed', extra: `<Region>${region}</Region>` };
  const at = String(headers['x-amz-date']);
  const time = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(now - time) <= farApartMs) || !at.startsWith(day))
    return {
      status: 403,
      code: 'RequestTimeTooSkewed',
      extra: `<ServerTime>${new Date(now).toISOString()}</ServerTime>`,
    };
  if (key.token !== undefined && headers['x-amz-security-token'] !== key.token)
    return { status: 400, code: 'InvalidToken' };
  const bodySum = String(headers['x-amz-content-sha256']);
  const names = signedHeaders.split(';');
  const unsigned = Object.keys(headers).filter((name) => name.startsWith('x-amz-') && !names.includes(name));
  if (!names.includes('host') || unsigned.length > 0) return { status: 403, code: 'AccessDenied' };

  const url = new URL(request.url ?? '/', 'http://any');
  const path = decodeURIComponent(url.pathname).split('/').map(encoded).join('/');
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&');
  const canonicalHeaders = names.map(
    (name) => `${name}:${String(headers[name]).trim().replaceAll(/\s+/g, ' ')}\n`,
  );
  const canonical = [request.method, path, query, canonicalHeaders.join(''), signedHeaders, bodySum].join(
    '\n',
  );
  const scope = `${day}/${region}/s3/aws4_request`;
  const signingKey = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${key.secret}`, day), region));
  const wanted = hmac(signingKey, `AWS4-HMAC-SHA256\n${at}\n${scope}\n${sha256(canonical)}`).toString('hex');
  if (wanted !== signature) return { status: 403, code: 'SignatureDoesNotMatch' };
  if (bodySum !== 'UNSIGNED-PAYLOAD' && bodySum !== sha256(body))
    return { status: 400, code: 'XAmzContentSHA256Mismatch' };
  return undefined;
}
