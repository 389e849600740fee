import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { elementsOf, textOf } from '../../src/artifacts/s3/xml.ts';
import { type S3Keys, signatureProblem } from './s3-signature.ts';

/**
 * A server that speaks as much of S3 as the service uses, strictly: signatures, times and regions are checked, parts have
 * their least size, and what was begun is there until it is given up. Objects are in memory. Packages that could stand in
 * for it let every signature pass and cannot list what was begun.
 */
export interface S3Server extends AsyncDisposable {
  port: number;
  endpoint: string;
  bucket: string;
  /** As settings of a service that keeps its bytes here. */
  settings(prefix?: string): Record<string, string>;
  /** By key. */
  objects: Map<string, Buffer>;
  /** Keys of what was begun and is not complete. */
  begun(): string[];
  /** `PUT key?query`, oldest first. */
  requests: string[];
  /** Asked for every request, until it is set again: what happens to it instead of an answer. Undefined: nothing does. */
  disturb(how: ((request: string, count: number) => Trouble | undefined) | undefined): void;
  /** How far its clock is off. */
  skewMs: number;
  /** Keys that may do nothing but this. */
  allowOnly(methods: readonly string[] | undefined): void;
}

/** A status with a code, the connection closed before or within the answer, or no answer at all. */
export type Trouble =
  | { status: number; code: string; retryAfter?: boolean }
  | 'closed'
  | 'closed after doing it'
  | { cutAfter: number }
  | 'silent';

interface Upload {
  key: string;
  parts: Map<number, Buffer>;
}

interface Asked {
  method: string;
  key: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

interface Answered {
  status: number;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

const leastPart = 5 * 1024 ** 2;
const listedAtOnce = 1000;
const accessKeyId = 'AKIDOFTHETESTS';
const secretAccessKey = 'secret/of+the/tests';
const tagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const failed = (status: number, code: string, extra = ''): Answered => ({
  status,
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>about ${code}</Message>${extra}</Error>`,
});

/** What the bucket does, without the network. */
class Bucket {
  readonly objects = new Map<string, Buffer>();
  readonly uploads = new Map<string, Upload>();

  answer(asked: Asked): Answered {
    const { method, key, query } = asked;
    if (key === '') return query.has('uploads') ? this.#listUploads(asked) : this.#list(asked);
    if (method === 'POST' && query.has('uploads')) return this.#begin(asked);
    if (method === 'POST') return this.#complete(asked);
    if (method === 'PUT') return query.has('uploadId') ? this.#putPart(asked) : this.#put(asked);
    if (method === 'DELETE') return query.has('uploadId') ? this.#abort(asked) : this.#remove(asked);
    return this.#get(asked);
  }

  /** Of a put that is only to replace what is there. */
  #conflict({ key, headers }: Asked): Answered | undefined {
    const [wanted, there] = [headers['if-match'], this.objects.get(key)];
    if (wanted && !there) return failed(404, 'NoSuchKey');
    return wanted && there && wanted !== tagOf(there) ? failed(412, 'PreconditionFailed') : undefined;
  }

  #put(asked: Asked): Answered {
    const conflict = this.#conflict(asked);
    if (conflict) return conflict;
    const { key, body } = asked;
    this.objects.set(key, body);
    return { status: 200, headers: { etag: tagOf(body) } };
  }

  #remove({ key }: Asked): Answered {
    this.objects.delete(key);
    return { status: 204 };
  }

  #get({ method, key, headers }: Asked): Answered {
    const bytes = this.objects.get(key);
    if (!bytes) return method === 'HEAD' ? { status: 404 } : failed(404, 'NoSuchKey');
    const etag = tagOf(bytes);
    if (headers['if-match'] && headers['if-match'] !== etag) return failed(412, 'PreconditionFailed');
    const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '');
    if (!range) return { status: 200, headers: { etag }, body: bytes };
    const [start, end] = [Number(range[1]), Number(range[2])];
    if (start >= bytes.length) return failed(416, 'InvalidRange');
    return { status: 206, headers: { etag }, body: bytes.subarray(start, end + 1) };
  }

  #begin({ key }: Asked): Answered {
    const id = randomBytes(16).toString('base64url');
    this.uploads.set(id, { key, parts: new Map() });
    return {
      status: 200,
      body: `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    };
  }

  #upload({ key, query }: Asked): Upload | undefined {
    const upload = this.uploads.get(query.get('uploadId') ?? '');
    return upload?.key === key ? upload : undefined;
  }

  #putPart(asked: Asked): Answered {
    const upload = this.#upload(asked);
    if (!upload) return failed(404, 'NoSuchUpload');
    upload.parts.set(Number(asked.query.get('partNumber')), asked.body);
    return { status: 200, headers: { etag: tagOf(asked.body) } };
  }

  #abort(asked: Asked): Answered {
    if (!this.#upload(asked)) return failed(404, 'NoSuchUpload');
    this.uploads.delete(asked.query.get('uploadId') ?? '');
    return { status: 204 };
  }

  #complete(asked: Asked): Answered {
    const upload = this.#upload(asked);
    if (!upload) return failed(404, 'NoSuchUpload');
    const conflict = this.#conflict(asked);
    if (conflict) return conflict;
    const named = elementsOf(asked.body.toString(), 'Part').map((part) => ({
      bytes: upload.parts.get(Number(textOf(part, 'PartNumber'))),
      tag: textOf(part, 'ETag'),
    }));
    const parts = named.map(({ bytes }) => bytes).filter((bytes) => bytes !== undefined);
    if (parts.length !== named.length || named.some(({ bytes, tag }) => bytes && tagOf(bytes) !== tag))
      return failed(400, 'InvalidPart');
    if (parts.slice(0, -1).some(({ length }) => length < leastPart)) return failed(400, 'EntityTooSmall');
    this.objects.set(asked.key, Buffer.concat(parts));
    this.uploads.delete(asked.query.get('uploadId') ?? '');
    return {
      status: 200,
      body: `<CompleteMultipartUploadResult><Key>${asked.key}</Key></CompleteMultipartUploadResult>`,
    };
  }

  #listUploads({ query }: Asked): Answered {
    const uploads = [...this.uploads]
      .filter(([, { key }]) => key.startsWith(query.get('prefix') ?? ''))
      .map(([id, { key }]) => `<Upload><Key>${escaped(key)}</Key><UploadId>${id}</UploadId></Upload>`);
    return {
      status: 200,
      body: `<ListMultipartUploadsResult>${uploads.join('')}</ListMultipartUploadsResult>`,
    };
  }

  #list({ query }: Asked): Answered {
    const [prefix, after] = [query.get('prefix') ?? '', query.get('start-after') ?? ''];
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
    const contents = keys
      .slice(0, listedAtOnce)
      .map((key) => `<Contents><Key>${escaped(key)}</Key></Contents>`);
    return {
      status: 200,
      body: `<ListBucketResult><IsTruncated>${keys.length > listedAtOnce}</IsTruncated>${contents.join('')}</ListBucketResult>`,
    };
  }
}

export async function startS3(
  options: { bucket?: string; region?: string; sessionToken?: string; port?: number } = {},
): Promise<S3Server> {
  const { bucket = 'kept', region = 'us-east-1', sessionToken } = options;
  const keys: S3Keys = new Map([
    [accessKeyId, { secret: secretAccessKey, ...(sessionToken && { token: sessionToken }) }],
  ]);
  const inside = new Bucket();
  const requests: string[] = [];
  let trouble: Parameters<S3Server['disturb']>[0];
  let allowed: readonly string[] | undefined;

  const answerTo = (request: IncomingMessage, body: Buffer): Answered => {
    const problem = signatureProblem(request, body, { keys, region, now: Date.now() + s3.skewMs });
    if (problem) return failed(problem.status, problem.code, problem.extra);
    const url = new URL(request.url ?? '/', 'http://any');
    const [, name = '', ...rest] = url.pathname.split('/');
    if (name !== bucket) return failed(404, 'NoSuchBucket');
    const method = request.method ?? '';
    if (allowed && !allowed.includes(method)) return failed(403, 'AccessDenied');
    const key = rest.map(decodeURIComponent).join('/');
    return inside.answer({ method, key, query: url.searchParams, headers: request.headers, body });
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const word = `${request.method} ${(request.url ?? '').replace(`/${bucket}/`, '')}`;
    requests.push(word);
    const happens = trouble?.(word, requests.length);
    if (happens === 'closed') return void request.socket.destroy();
    const body = await buffer(request);
    if (happens === 'silent') return;
    if (happens && typeof happens === 'object' && 'status' in happens)
      return send(response, request, failed(happens.status, happens.code));
    const answer = answerTo(request, body);
    if (happens === 'closed after doing it') return void request.socket.destroy();
    if (happens && typeof happens === 'object') return cut(response, answer, happens.cutAfter);
    send(response, request, answer);
  };
  const server = createServer((request, response) => {
    // a client that goes away is what some specs are about
    handle(request, response).catch(() => request.socket.destroy());
  });
  const port = await listening(server, options.port ?? 0);
  const endpoint = `http://127.0.0.1:${port}`;
  const s3: S3Server = {
    port,
    endpoint,
    bucket,
    settings: (prefix = 'bytes') => ({
      BROWSERD_BLOBS: `s3://${bucket}/${prefix}?endpoint=${encodeURIComponent(endpoint)}&region=${region}`,
      BROWSERD_S3_ACCESS_KEY_ID: accessKeyId,
      BROWSERD_S3_SECRET_ACCESS_KEY: secretAccessKey,
      ...(sessionToken && { BROWSERD_S3_SESSION_TOKEN: sessionToken }),
    }),
    objects: inside.objects,
    begun: () => [...inside.uploads.values()].map(({ key }) => key),
    requests,
    disturb: (how) => {
      trouble = how;
    },
    skewMs: 0,
    allowOnly: (methods) => {
      allowed = methods;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return s3;
}

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function send(
  response: ServerResponse,
  request: IncomingMessage,
  { status, headers, body = '' }: Answered,
): void {
  const bytes = Buffer.from(body as Buffer);
  response.writeHead(status, { ...headers, 'content-length': status === 204 ? 0 : bytes.length });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** Promises all of the answer, and closes the connection within it. */
function cut(response: ServerResponse, { status, headers, body = '' }: Answered, after: number): void {
  const bytes = Buffer.from(body as Buffer);
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  response.write(bytes.subarray(0, after), () => response.destroy());
}
