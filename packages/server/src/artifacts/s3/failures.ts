/**
 * What a failure of the S3 storage means, and what the operator can do about it. Callers see the same words: they say
 * nothing of where the storage is, or with which keys it is used.
 */
import { ApiError, type ErrorCode } from '../../errors.ts';
import { elementsOf, textOf } from './xml.ts';

export class S3Failure extends ApiError {
  /** In the words of S3, or of the network. */
  readonly reason: string;
  /** Nothing was done for good, and another attempt soon may work. */
  readonly passing: boolean;

  constructor(what: {
    message: string;
    reason: string;
    passing: boolean;
    code?: ErrorCode;
    cause?: unknown;
  }) {
    super(what.code ?? 'STORE_UNAVAILABLE', what.message, { cause: what.cause });
    this.reason = what.reason;
    this.passing = what.passing;
  }
}

export interface S3Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

const full =
  'The S3 storage has no room for these bytes; nothing was kept. Delete files that are no longer needed, or ask the operator for more room there.';

const wrongRegion = ({ headers, body }: S3Answer): string => {
  const region = headers['x-amz-bucket-region'] ?? textOf(body, 'Region');
  const right = typeof region === 'string' && region ? `\`region=${region}\`` : 'the right `region=`';
  return `The S3 storage has the bucket in another region. Put ${right} into BROWSERD_BLOBS.`;
};

const skewed = ({ headers, body }: S3Answer): string => {
  const theirs = Date.parse(textOf(body, 'ServerTime') ?? String(headers.date));
  const apart = Math.round(Math.abs(Date.now() - theirs) / 1000);
  const by = Number.isFinite(apart) ? `${apart} seconds` : 'too far';
  return `The clocks of this machine and of the S3 storage are ${by} apart, so that it refuses every request. Set them (NTP).`;
};

const noSession =
  'The S3 storage does not accept the session token, or its time is over. Give new values for BROWSERD_S3_ACCESS_KEY_ID, BROWSERD_S3_SECRET_ACCESS_KEY and BROWSERD_S3_SESSION_TOKEN, and restart.';
const notAllowed =
  'The S3 storage does not let these keys do this. Allow them s3:PutObject, s3:GetObject, s3:DeleteObject, s3:AbortMultipartUpload on the objects, and s3:ListBucket and s3:ListBucketMultipartUploads on the bucket of BROWSERD_BLOBS.';

/** By the code in the body: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const messages: Record<string, string | ((answer: S3Answer) => string)> = {
  SignatureDoesNotMatch:
    'The S3 storage finds the signature wrong: BROWSERD_S3_SECRET_ACCESS_KEY does not belong to BROWSERD_S3_ACCESS_KEY_ID, or a proxy on the way changes requests.',
  InvalidAccessKeyId: 'The S3 storage does not know the key BROWSERD_S3_ACCESS_KEY_ID. Check it.',
  InvalidToken: noSession,
  ExpiredToken: noSession,
  TokenRefreshRequired: noSession,
  AccessDenied: notAllowed,
  AllAccessDisabled: notAllowed,
  NoSuchBucket:
    'The S3 storage has no such bucket. Create it, or correct its name in BROWSERD_BLOBS (and `endpoint`, if it lies elsewhere).',
  PermanentRedirect: wrongRegion,
  AuthorizationHeaderMalformed: wrongRegion,
  IllegalLocationConstraintException: wrongRegion,
  RequestTimeTooSkewed: skewed,
  RequestExpired: skewed,
};

const fullCodes = [
  'QuotaExceeded',
  'InsufficientStorage',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
];
const passingCodes = [
  ...['InternalError', 'ServiceUnavailable', 'SlowDown', 'RequestTimeout', 'OperationAborted'],
  // what came was not what was sent
  ...['BadDigest', 'XAmzContentSHA256Mismatch', 'IncompleteBody'],
];
const passingStatus = [408, 429, 500, 502, 503, 504];

/** An answer that is no success; a 200 may be none either, when it took long (CompleteMultipartUpload). */
export function failureOfAnswer(answer: S3Answer): S3Failure {
  const { status, body } = answer;
  const [error = body] = elementsOf(body, 'Error');
  const reason = textOf(error, 'Code') ?? String(status);
  if (status === 507 || fullCodes.includes(reason))
    return new S3Failure({ message: full, reason, passing: false, code: 'STORAGE_FULL' });
  const passing = passingStatus.includes(status) || passingCodes.includes(reason);
  const known = messages[reason] ?? (status === 301 ? wrongRegion : status === 403 ? notAllowed : undefined);
  if (known)
    return new S3Failure({ message: typeof known === 'string' ? known : known(answer), reason, passing });
  const words = textOf(error, 'Message')?.slice(0, 200) ?? '';
  const said = `${status} ${reason === String(status) ? '' : `${reason} `}${words}`.trim();
  return new S3Failure({
    message: passing
      ? `The S3 storage is in trouble (${said}). Try again; if it stays so, look at its server.`
      : `The S3 storage refused the request (${said}). Check that BROWSERD_BLOBS names an S3 server and a bucket.`,
    reason,
    passing,
  });
}

const noHost =
  'The S3 storage has no address: its host name is not known. Correct `endpoint` or `region` in BROWSERD_BLOBS, or the name server.';
const silent = 'The S3 storage does not answer. Check that its server runs and that this machine reaches it.';
const byNetworkCode: Record<string, string> = {
  ENOTFOUND: noHost,
  EAI_AGAIN: noHost,
  ECONNREFUSED:
    'The S3 storage cannot be reached: nothing listens there. Start its server, or correct `endpoint` in BROWSERD_BLOBS.',
};
const isTls = (code: string): boolean => /CERT|SIGNATURE|TLS|SSL|EPROTO|ISSUER/.test(code);
const isNotHttp = (code: string): boolean => code.startsWith('HPE_');

/** A request that got no answer. */
export function failureOfNetwork(cause: unknown): S3Failure {
  const { code, message } = cause as NodeJS.ErrnoException;
  const reason = code ?? message;
  if (isTls(reason))
    return new S3Failure({
      message: `The S3 storage has no certificate that can be trusted (${reason}). Name its authority with NODE_EXTRA_CA_CERTS, or check \`endpoint\` in BROWSERD_BLOBS: http or https?`,
      reason,
      passing: false,
      cause,
    });
  if (isNotHttp(reason))
    return new S3Failure({
      message: `What answers in place of the S3 storage does not speak HTTP (${reason}). Check \`endpoint\` in BROWSERD_BLOBS: http or https?`,
      reason,
      passing: false,
      cause,
    });
  return new S3Failure({ message: byNetworkCode[reason] ?? silent, reason, passing: true, cause });
}
