/**
 * Whether nodes reach each other, in both directions. A node that others cannot reach joins all the same, since the database
 * is all it needs for that, and every call that is passed on to it fails: an operator finds out by asking for the way back.
 *
 *   GET /reach               204: here is a node with the key of this cluster
 *   GET /reach?back=H:P      200: whether this node reaches that address, and why not
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { hopAgent, hopServerOptions } from './hop.ts';

const patienceMs = 5000;
const path = '/reach';
const hostAndPort = /^(\[[\da-fA-F:]+\]|[\w.-]+):(\d{1,5})$/;

export interface Reach {
  /** Undefined: it is reached. */
  why?: string;
}

/** What a node at the address answers to it; throws where there is none. */
async function ask(
  address: string,
  secret: Uint8Array,
  back?: string,
): Promise<{ status: number; body: string }> {
  const [, host = '', port] = hostAndPort.exec(address) ?? [];
  const agent = hopAgent(secret);
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request({
        agent,
        host: host.replace(/^\[|\]$/g, ''),
        port: Number(port),
        path: back === undefined ? path : `${path}?back=${encodeURIComponent(back)}`,
        signal: AbortSignal.timeout(patienceMs * (back === undefined ? 1 : 2)),
      })
        .on('response', resolve)
        .on('error', reject)
        .end();
    });
    return { status: answer.statusCode ?? 0, body: await text(answer) };
  } finally {
    agent.destroy();
  }
}

const whyNot = (error: unknown): string => {
  const { name, message, code } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError' || name === 'AbortError') return `no answer in ${patienceMs / 1000} s`;
  return code === 'ECONNREFUSED' ? 'nothing listens there' : message;
};

export const reach = (address: string, secret: Uint8Array): Promise<Reach> =>
  ask(address, secret).then(
    () => ({}),
    (error: unknown) => ({ why: whyNot(error) }),
  );

/** Asks the node at `address` whether it reaches `own`; undefined when it cannot say, as one of another version. */
export async function reachBack(
  address: string,
  secret: Uint8Array,
  own: string,
): Promise<Reach | undefined> {
  const { status, body } = await ask(address, secret, own);
  return status === 200 ? (JSON.parse(body) as Reach) : undefined;
}

/** Whether it was such a question; it is answered then. Only who has the key of the cluster gets to ask. */
export function answerReach(asked: IncomingMessage, response: ServerResponse, secret: Uint8Array): boolean {
  const url = URL.parse(asked.url ?? '', 'http://node');
  if (asked.method !== 'GET' || url?.pathname !== path) return false;
  const back = url.searchParams.get('back');
  if (back === null || !hostAndPort.test(back)) response.writeHead(back === null ? 204 : 400).end();
  else
    void reach(back, secret).then((found) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found)),
    );
  return true;
}

/** Stands in for a node that does not run yet, while it is asked for. */
export const standIn = (secret: Uint8Array): Server =>
  createServer(hopServerOptions(secret), (asked, response) => {
    if (!answerReach(asked, response, secret)) response.writeHead(421).end();
  }).on('tlsClientError', () => undefined);
