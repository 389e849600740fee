import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { LargeMessages, readInPieces } from './large-messages.ts';

const mebibyte = 1024 ** 2;

/** Whether it has got in by now. */
function entering(messages: LargeMessages, bytes: number): { in: boolean } {
  const state = { in: false };
  void messages.enter(bytes).then(() => {
    state.in = true;
  });
  return state;
}

const settled = () => new Promise(setImmediate);

test('large messages of one project wait for each other, in order, and those of another do not', async () => {
  const sockets = Array.from({ length: 4 }, () => new LargeMessages('a'));
  const waiting = sockets.map((socket) => entering(socket, 50 * mebibyte));
  const other = entering(new LargeMessages('b'), 50 * mebibyte);
  await settled();
  expect([waiting.map((each) => each.in), other.in]).toEqual([[true, false, false, false], true]);
  sockets[0]?.taken(50 * mebibyte);
  await settled();
  expect(waiting.map((each) => each.in)).toEqual([true, true, false, false]);
  sockets[1]?.close();
  sockets[2]?.close();
  await settled();
  expect(waiting.map((each) => each.in)).toEqual([true, true, true, true]);
});

test('small ones in between leave a large one its room', async () => {
  const [one, two] = [new LargeMessages('c'), new LargeMessages('c')];
  await one.enter(60 * mebibyte);
  one.taken(1000);
  const next = entering(two, 10 * mebibyte);
  await settled();
  expect(next.in).toBe(false);
  one.taken(60 * mebibyte);
  await settled();
  expect(next.in).toBe(true);
});

test('one that is larger than the room gets in when it is empty', async () => {
  const [one, two] = [new LargeMessages('d'), new LargeMessages('d')];
  await one.enter(2 * mebibyte);
  const next = entering(two, 2 ** 60);
  await settled();
  expect(next.in).toBe(false);
  one.close();
  await settled();
  expect(next.in).toBe(true);
});

test('frames that are no messages are read within the share of their project, in many turns of the loop', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong: false });
  const heard = { pings: 0, last: '' };
  server.on('connection', (opened, { socket }) => {
    readInPieces(opened, socket, { large: new LargeMessages('pinging'), mostBytes: mebibyte });
    opened.on('ping', () => {
      heard.pings++;
      for (const until = performance.now() + 0.01; performance.now() < until; );
    });
    opened.on('message', (data) => {
      heard.last = String(data);
    });
  });
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await once(client, 'open');
  const { _socket: connection } = client as unknown as { _socket: NodeJS.WritableStream };
  // Masked by zeros, and in one piece.
  connection.write(Buffer.alloc(6 * 10_000, Buffer.from([0x89, 0x80, 0, 0, 0, 0])));
  client.send('the last');
  let between = 0;
  let seen = 0;
  while (heard.last === '') {
    await new Promise(setImmediate);
    if (heard.pings > seen && heard.pings < 10_000) between++;
    seen = heard.pings;
  }
  expect(heard.pings).toBe(10_000);
  expect(between).toBeGreaterThan(5);
  client.terminate();
  server.close();
});
