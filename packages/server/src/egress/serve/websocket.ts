/**
 * A WebSocket over plain HTTP, requested as GET http://… with Upgrade (Chromium itself uses CONNECT). The sockets are
 * joined only after the site has answered 101; otherwise any bytes could be sent under the permission of the first
 * request.
 */
import { request as httpRequest, type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerError, Gone, reasonOf, Unreachable } from '../way/way.ts';
import type { Exit } from './exit.ts';
import { maxAnswerHeaders, relay } from './forward.ts';
import { switchingHeaders, webSocketHeaders } from './headers.ts';
import { join } from './join.ts';
import { sendRaw } from './reply.ts';
import { type Asked, readAbsolute } from './request-target.ts';
import { converse, openWay } from './tunnel.ts';

export async function webSocket(
  exit: Exit,
  request: IncomingMessage,
  client: Socket,
  head: Buffer,
): Promise<void> {
  let asked: Asked | undefined;
  try {
    asked = readAbsolute(request.url ?? '', 'ws');
    await exit.turn();
    const { remote, under } = await openWay(exit, asked.target, client);
    converse(exit, { target: asked.target, under }, client, remote);
    const answer = await handshake(request, asked, client, remote);
    if (answer.statusCode !== 101) return decline(exit, request, answer, client);
    client.write(switching(answer));
    if (head.length > 0) remote.write(head);
    join(exit, client, remote);
  } catch (error) {
    if (error instanceof Gone) client.destroy();
    else sendRaw(client, exit.fail(error, request.url ?? '', asked?.target));
  }
}

function handshake(
  request: IncomingMessage,
  asked: Asked,
  client: Socket,
  remote: Socket,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const leave = (): void => void remote.destroy();
    const asking = httpRequest({
      method: 'GET',
      path: asked.path,
      headers: webSocketHeaders(request, asked.authority),
      createConnection: () => remote,
      maxHeaderSize: maxAnswerHeaders,
    });
    client.once('close', leave);
    asking.once('upgrade', (answer, _socket, head) => {
      client.off('close', leave);
      if (head.length > 0) remote.unshift(head);
      resolve(answer);
    });
    asking.once('response', resolve);
    asking.once('error', (error) =>
      reject(new Unreachable('answer', `no answer (${reasonOf(error)})`, answerError(error))),
    );
    asking.end();
  });
}

function switching(answer: IncomingMessage): string {
  const fields = ['Connection', 'Upgrade', 'Upgrade', 'websocket', ...switchingHeaders(answer)];
  let text = 'HTTP/1.1 101 Switching Protocols\r\n';
  for (let i = 0; i + 1 < fields.length; i += 2) text += `${fields[i]}: ${fields[i + 1]}\r\n`;
  return `${text}\r\n`;
}

function decline(exit: Exit, request: IncomingMessage, answer: IncomingMessage, client: Socket): void {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(client);
  response.once('finish', () => {
    response.detachSocket(client);
    client.end();
    client.resume();
  });
  relay(exit, answer, response);
}
