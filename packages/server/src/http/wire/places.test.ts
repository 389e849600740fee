import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { keepPlaces } from './places.ts';

async function listen(most: number) {
  const dropped: string[] = [];
  const waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/slow') waiting.push(response);
    else response.end('ok');
  });
  const places = keepPlaces(server, most, (address) => dropped.push(address));
  const accepted = new Map<number | undefined, Socket>();
  server.on('connection', (socket) => accepted.set(socket.remotePort, socket));
  const accept = ({ localPort }: Socket): Socket => accepted.get(localPort) ?? expect.fail('not accepted');
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const open = async (from = '127.0.0.1'): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    socket.on('error', () => undefined);
    await Promise.all([once(socket, 'connect'), once(server, 'connection')]);
    return socket;
  };
  const ask = async (socket: Socket, path = '/'): Promise<string> => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    if (path === '/slow') {
      await once(server, 'request');
      return '';
    }
    return String((await once(socket, 'data'))[0]).slice(0, 12);
  };
  const closed = (socket: Socket) => (socket.destroyed ? undefined : once(socket, 'close'));
  const know = (socket: Socket): void => places.know(accept(socket));
  const isCrowded = (socket: Socket): boolean => places.isCrowded(accept(socket));
  return { open, ask, closed, dropped, waiting, know, isCrowded, reserve: places.reserve };
}

test('the oldest silent connection of the address that has most gives its place up', async () => {
  const { open, ask, closed, dropped } = await listen(4);
  const alone = await open('127.0.0.2');
  const crowd = [await open(), await open(), await open()];
  const late = await open('127.0.0.3');
  await closed(crowd[0]!);
  expect(dropped).toEqual(['127.0.0.1']);
  expect(await ask(alone)).toBe('HTTP/1.1 200');
  expect(await ask(late)).toBe('HTTP/1.1 200');
});

test('one that has sent a request keeps its place before those that have not, and one with a key that is answered always', async () => {
  const { open, ask, closed, waiting, know } = await listen(3);
  const busy = await open();
  await ask(busy, '/slow');
  know(busy);
  const resting = await open();
  await ask(resting);
  know(resting);
  const silent = await open();
  const next = await open('127.0.0.2');
  await closed(silent);
  expect(await ask(next)).toBe('HTTP/1.1 200');
  know(next);
  const last = await open('127.0.0.2');
  await closed(resting);
  expect(await ask(last)).toBe('HTTP/1.1 200');
  waiting[0]?.end('late');
  expect(String((await once(busy, 'data'))[0])).toContain('200');
});

test('a stranger gives its place up even while it is answered, before a caller with a key does', async () => {
  const { open, ask, closed, know } = await listen(2);
  const stranger = await open();
  await ask(stranger, '/slow');
  const caller = await open();
  await ask(caller);
  know(caller);
  const next = await open('127.0.0.2');
  await closed(stranger);
  expect(await ask(next)).toBe('HTTP/1.1 200');
  expect(await ask(caller)).toBe('HTTP/1.1 200');
});

test('behind callers that are all at work a reserve stays open, also for the next and the one after', async () => {
  const { open, ask, closed, know, isCrowded, reserve } = await listen(2);
  const busy = [await open(), await open()];
  for (const socket of busy) {
    await ask(socket, '/slow');
    know(socket);
  }
  const silent = [];
  for (let n = 0; n < reserve / 2; n++) silent.push(await open());
  const health = await open('127.0.0.2');
  await closed(silent[0]!);
  expect([isCrowded(health), isCrowded(busy[0]!)]).toEqual([true, false]);
  expect(await ask(health)).toBe('HTTP/1.1 200');
  expect(await ask(silent.at(-1)!)).toBe('HTTP/1.1 200');
  expect(busy.map(({ destroyed }) => destroyed)).toEqual([false, false]);
});
