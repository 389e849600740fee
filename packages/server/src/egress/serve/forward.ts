/**
 * Plain http: one request in, one request out, both streamed.
 *
 *   GET http://host/path ──> admit ──> kept or new connection ──> GET /path (upstream HTTP proxy: absolute form)
 *
 * A body cannot be sent twice, so a request with one never rides on a kept connection that may just be ending.
 */
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { givingBack } from '../../kit/give-back.ts';
import type { Target } from '../policy/policy.ts';
import {
  answerError,
  authFailed,
  basicAuthorization,
  checkUnresolved,
  Failure,
  Gone,
  Refused,
  reach,
  reachUpstream,
  reasonOf,
  type Settings,
  TryAgain,
  Unreachable,
  type Upstream,
  upstreamFor,
} from '../way/way.ts';
import { Chunks } from './chunks.ts';
import type { Conversation, Exit } from './exit.ts';
import { answerHeaders, endsWithConnection, hasBody, isChunked, requestHeaders } from './headers.ts';
import type { KeptConnections, PooledArgs } from './kept-connections.ts';
import { sendAnswer } from './reply.ts';
import { type Asked, readAbsolute } from './request-target.ts';

/** As much as Chromium itself takes. */
export const maxAnswerHeaders = 256 * 1024;

/** Chromium sends this with the request for a page or a frame, and with no other. */
const isNavigation = (request: IncomingMessage): boolean =>
  request.headers['upgrade-insecure-requests'] === '1';

export async function forward(
  exit: Exit,
  pool: KeptConnections,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let asked: Asked | undefined;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    asked = readAbsolute(request.url ?? '', 'http');
    await exit.turn();
    for (;;) {
      try {
        await exchange(exit, pool, asked, request, response, gone.signal);
        return;
      } catch (error) {
        if (!(error instanceof TryAgain)) throw error;
      }
    }
  } catch (error) {
    const answer = error instanceof Gone ? undefined : exit.fail(error, request.url ?? '', asked?.target);
    // What is not reached has failed, as it would have over TLS: a page would take an answer of the proxy for the
    // site's. Only what the policy refuses a page that is there is answered, with the rule.
    if (answer && error instanceof Refused && !isNavigation(request)) sendAnswer(response, answer);
    else response.destroy();
  }
}

/** Ends when the answer has begun; fails only while none has. */
async function exchange(
  exit: Exit,
  pool: KeptConnections,
  asked: Asked,
  request: IncomingMessage,
  response: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  const under = await exit.admit(asked.target, gone);
  const options = await prepare(exit, pool, under, asked, request, gone);
  const outgoing = httpRequest(options);
  const answering = firstAnswer(outgoing, gone);
  watch(exit, { target: asked.target, under }, outgoing, request, response);
  if (hasBody(request)) {
    exit.pace(request);
    request.pipe(givingBack(outgoing));
  } else outgoing.end();
  const answer = await answering;
  if (answer.statusCode === 407) {
    outgoing.destroy();
    // From a site it would make the browser ask its user for a proxy password.
    if (viaHttpProxy(under, asked)) throw authFailed();
    throw new Unreachable('answer', 'the site answered 407', 'ERR_UNEXPECTED_PROXY_AUTH');
  }
  relay(exit, answer, response);
}

const viaHttpProxy = (under: Settings, { target }: Asked): Upstream | undefined => {
  const upstream = upstreamFor(under, target.host);
  return upstream?.scheme === 'socks5' ? undefined : upstream;
};

async function prepare(
  exit: Exit,
  pool: KeptConnections,
  under: Settings,
  asked: Asked,
  request: IncomingMessage,
  gone: AbortSignal,
): Promise<RequestOptions | PooledArgs> {
  const proxy = viaHttpProxy(under, asked);
  if (proxy) await checkUnresolved(under.rules, asked.target, exit.network);
  if (gone.aborted) throw new Gone();
  const way = (network: Exit['network'], signal: AbortSignal): Promise<Socket> =>
    proxy ? reachUpstream(under.rules, proxy, network, signal) : reach(under, asked.target, network, signal);
  const headers = requestHeaders(request, asked.authority);
  const authorization = proxy && basicAuthorization(proxy);
  if (authorization) headers.push('Proxy-Authorization', authorization);
  const path = proxy ? asked.url : asked.path;
  const options = { method: request.method, path, headers, maxHeaderSize: maxAnswerHeaders };
  if (hasBody(request)) {
    const socket = await exit.open(under, way, gone);
    return { ...options, createConnection: () => socket };
  }
  const place = proxy ? 'proxy' : asked.authority;
  return { ...options, agent: pool, place, connect: () => exit.open(under, way) };
}

/** Ends each of the two requests with the other. */
function watch(
  exit: Exit,
  about: { target: Target; under: Settings },
  outgoing: ClientRequest,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const leave = (): void => void outgoing.destroy();
  const cut = (): void => {
    outgoing.destroy();
    response.destroy();
  };
  response.once('close', leave);
  outgoing.on('continue', () => response.writeContinue());
  outgoing.once('socket', (remote) => {
    const conversation: Conversation = { ...about, remote, cut };
    exit.begin(conversation);
    outgoing.once('close', () => exit.end(conversation));
  });
  outgoing.once('close', () => {
    response.off('close', leave);
    // The rest of a body that the site no longer reads must not block the browser's connection.
    request.unpipe(outgoing);
    request.resume();
  });
}

function firstAnswer(outgoing: ClientRequest, gone: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const kept = outgoing.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '');
      if (gone.aborted) reject(new Gone());
      else if (error instanceof Failure) reject(error);
      else if (kept) reject(new TryAgain());
      else reject(new Unreachable('answer', `no answer (${reasonOf(error)})`, answerError(error)));
    });
  });
}

export function relay(exit: Exit, answer: IncomingMessage, response: ServerResponse): void {
  response.sendDate = false;
  // Node would say how it keeps the connection to Chromium; the site has said how it keeps its own.
  response.removeHeader('connection');
  if (endsWithConnection(answer, response.req.method)) {
    response.useChunkedEncodingByDefault = false;
    response.shouldKeepAlive = false;
  }
  try {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answerHeaders(answer));
  } catch (error) {
    answer.destroy();
    const message = `an answer that cannot be passed on (${reasonOf(error)})`;
    throw new Unreachable('answer', message, 'ERR_INVALID_HTTP_RESPONSE');
  }
  exit.pace(answer);
  if (isChunked(answer)) {
    response.chunkedEncoding = false;
    pipeline(answer, new Chunks(), givingBack(response), () => undefined);
  } else pipeline(answer, givingBack(response), () => undefined);
}
