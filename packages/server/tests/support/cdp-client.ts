import { type ClientOptions, WebSocket } from 'ws';
import type { Api } from './client.ts';
import { expectContract } from './contract.ts';

/** A DevTools client with nothing but a WebSocket: what it reports is what was on the wire. */
export interface Bare {
  socket: WebSocket;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  send(method: string, params?: object, sessionId?: string): Promise<any>;
  /** The session of a page of the browser, the first one. */
  attach(): Promise<string>;
  /** How the socket ended. */
  closed: Promise<{ code: number; reason: string }>;
}

export const cdpPath = (id: string): string => `/v1/browsers/${id}/cdp`;
export const socketUrl = (api: Api, id: string): string => `${api.url.replace(/^http/, 'ws')}${cdpPath(id)}`;
export const keyHeader = (api: Api) => ({ headers: { authorization: `Bearer ${api.key}` } });

export const connectWithKey = (api: Api, id: string): Promise<Bare> =>
  connect(socketUrl(api, id), keyHeader(api));

/** A signed address of the browser. */
export async function capability(api: Api, id: string, options: object = {}): Promise<string> {
  const { body } = await api.call('POST', `/v1/browsers/${id}/capabilities`, {
    body: { kind: 'cdp', ...options },
  });
  return body.url;
}

export async function connect(url: string, options: ClientOptions = {}): Promise<Bare> {
  const socket = new WebSocket(url, { maxPayload: 0, perMessageDeflate: false, ...options });
  const waiting = new Map<number, (answer: { result?: unknown; error?: { message: string } }) => void>();
  let lastId = 0;
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  socket.on('message', (data) => {
    const message = JSON.parse(data.toString());
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  socket.on('error', () => undefined);
  const send: Bare['send'] = async (method, params, sessionId) => {
    const id = ++lastId;
    const answered = new Promise<{ result?: unknown; error?: { message: string } }>((resolve) => {
      waiting.set(id, resolve);
    });
    socket.send(JSON.stringify({ id, method, params, sessionId }));
    const { result, error } = await Promise.race([
      answered,
      closed.then(({ code }) => ({ result: undefined, error: { message: `closed with ${code}` } })),
    ]);
    if (error) throw new Error(error.message);
    return result;
  };
  return {
    socket,
    send,
    closed,
    async attach() {
      const { targetInfos } = await send('Target.getTargets');
      const { targetId } = targetInfos.find(({ type }: { type: string }) => type === 'page');
      return (await send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
    },
  };
}

/** The answer to an upgrade that is refused; fails when it is not. */
export function refusalOf(
  url: string,
  options: ClientOptions = {},
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
): Promise<{ status: number; body: any; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, options);
    socket.once('open', () => {
      socket.close();
      reject(new Error(`${url} was opened`));
    });
    socket.once('error', reject);
    socket.once('unexpected-response', (_request, response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        const answer = {
          status: response.statusCode ?? 0,
          body: JSON.parse(text),
          headers: response.headers,
        };
        expectContract('GET', new URL(url).pathname, answer);
        resolve(answer);
      });
    });
  });
}
