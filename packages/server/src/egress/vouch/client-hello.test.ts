import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { hearHello, readHello } from './client-hello.ts';

async function pair(): Promise<{ port: number; heard: Promise<Socket> }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const heard = once(server, 'connection').then(([socket]) => {
    onTestFinished(() => void socket.destroy());
    return socket.on('error', () => undefined) as Socket;
  });
  return { port: (server.address() as AddressInfo).port, heard };
}

async function helloOf(options: { servername?: string; ALPNProtocols?: string[] }): Promise<Buffer> {
  const { port, heard } = await pair();
  const client = connectTls({ port, host: '127.0.0.1', ...options }).on('error', () => undefined);
  onTestFinished(() => void client.destroy());
  const { heard: bytes } = await hearHello(await heard, Buffer.alloc(0));
  return bytes;
}

test('the first words of a client tell its host and its protocols', async () => {
  const bytes = await helloOf({ servername: 'wiki.test', ALPNProtocols: ['h2', 'http/1.1'] });
  expect(readHello(bytes)).toEqual({ serverName: 'wiki.test', protocols: ['h2', 'http/1.1'] });
  expect(readHello(await helloOf({}))).toEqual({ serverName: undefined, protocols: [] });
});

test('they are read in pieces, and at no length is anything else taken for them', async () => {
  const bytes = await helloOf({ servername: 'wiki.test' });
  for (let length = 0; length < bytes.length; length++)
    expect(readHello(bytes.subarray(0, length))).toBe('more');
  const cut = Buffer.from(bytes);
  for (let length = 6; length < bytes.length - 5; length++) {
    cut.writeUInt16BE(length, 3);
    cut.writeUIntBE(length - 4, 6, 3);
    expect(() => readHello(cut)).not.toThrow();
  }
});

test.each(['GET / HTTP/1.1\r\n\r\n', '\x15\x03\x03\x00\x02\x01\x00', '\x16\x03\x01\x00\x04\x02\x00\x00\x00'])(
  'other words are not: %j',
  (words) => expect(readHello(Buffer.from(words, 'latin1'))).toBeUndefined(),
);

test('words that never end are not waited for', () => {
  const record = Buffer.from('\x16\x03\x01\x00\x01\x01', 'latin1');
  expect(readHello(Buffer.concat(Array<Buffer>(20).fill(record)))).toBeUndefined();
});

test('what the client said is given back whole, also if it hangs up', async () => {
  const { port, heard } = await pair();
  connect(port, '127.0.0.1').end('\x16\x03');
  expect(await hearHello(await heard, Buffer.alloc(0))).toEqual({
    heard: Buffer.from('\x16\x03'),
    hello: 'cut',
  });
});
