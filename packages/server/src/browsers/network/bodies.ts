/** Bodies that Chromium still has: of answers while their document is open, and of requests. */
import { type Cdp, CdpError } from '../../chromium/chromium.ts';
import type { LoggedRequest } from './logged-request.ts';

const patienceMs = 5000;

export interface Body {
  bytes: Buffer;
  isText: boolean;
}

const textTypes = /^text\/|json|javascript|ecmascript|xml|x-www-form-urlencoded|graphql/i;
export const isTextType = (mimeType: string): boolean => textTypes.test(mimeType);

/** Undefined: Chromium has it no more, or never had. */
async function orNone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof CdpError) return undefined;
    throw error;
  }
}

export async function responseBody(cdp: Cdp, request: LoggedRequest): Promise<Body | undefined> {
  const { sessionId, requestId, redirectedTo, webSocket, state } = request;
  // A redirect has the id of what followed it, and no body of its own.
  if (redirectedTo || webSocket || state === 'pending') return undefined;
  const options = { sessionId, timeoutMs: patienceMs };
  const answer = await orNone(cdp.send('Network.getResponseBody', { requestId }, options));
  if (!answer) return undefined;
  const bytes = Buffer.from(answer.body, answer.base64Encoded ? 'base64' : 'utf8');
  // An empty text is also what Chromium answers for what it has let go.
  if (bytes.length === 0 && request.bodyBytes > 0) return undefined;
  return { bytes, isText: !answer.base64Encoded };
}

export async function requestBody(cdp: Cdp, request: LoggedRequest): Promise<string | undefined> {
  if (!request.hasRequestBody || request.redirectedTo) return undefined;
  const options = { sessionId: request.sessionId, timeoutMs: patienceMs };
  const asked = cdp.send('Network.getRequestPostData', { requestId: request.requestId }, options);
  return (await orNone(asked))?.postData;
}
