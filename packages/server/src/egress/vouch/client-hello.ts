/**
 * The first message of a TLS client (its ClientHello), read before it is decided whether the exit or the site answers: which host
 * the client wants, and which protocols it offers. Bytes that are no ClientHello are passed on as they came.
 */
import type { Socket } from 'node:net';

export interface ClientHello {
  serverName: string | undefined;
  /** By ALPN, the one that it prefers first. */
  protocols: string[];
}

/** Chromium's has about two KiB, in one record. */
const longestHello = 32 * 1024;
const mostRecords = 8;
/** A client that says nothing may be waiting for the site to speak first. */
const patienceMs = 10_000;

const handshakeRecord = 22;
const helloMessage = 1;
const nameExtension = 0;
const protocolsExtension = 16;

/** Undefined: this is no ClientHello. `more`: it may be the beginning of one. */
export function readHello(bytes: Buffer): ClientHello | 'more' | undefined {
  const pieces: Buffer[] = [];
  for (let at = 0; pieces.length < mostRecords; ) {
    const [type, major] = bytes.subarray(at);
    if ((type ?? handshakeRecord) !== handshakeRecord || (major ?? 3) !== 3) return undefined;
    if (bytes.length < at + 5) return 'more';
    const end = at + 5 + bytes.readUInt16BE(at + 3);
    if (bytes.length < end) return bytes.length > longestHello ? undefined : 'more';
    pieces.push(bytes.subarray(at + 5, end));
    at = end;
    const message = Buffer.concat(pieces);
    if (message.length < 4) continue;
    if (message[0] !== helloMessage) return undefined;
    const length = message.readUIntBE(1, 3);
    if (message.length >= 4 + length) return readBody(message.subarray(4, 4 + length));
  }
  return undefined;
}

/** Throws nothing: a read past the end makes it no hello. */
function readBody(body: Buffer): ClientHello | undefined {
  try {
    let at = 2 + 32;
    at += 1 + body.readUInt8(at);
    at += 2 + body.readUInt16BE(at);
    at += 1 + body.readUInt8(at);
    const hello: ClientHello = { serverName: undefined, protocols: [] };
    if (at === body.length) return hello;
    for (at += 2; at < body.length; ) {
      const type = body.readUInt16BE(at);
      const end = at + 4 + body.readUInt16BE(at + 2);
      const content = body.subarray(at + 4, end);
      if (type === nameExtension)
        hello.serverName = content.toString('latin1', 5, 5 + content.readUInt16BE(3));
      if (type === protocolsExtension) hello.protocols = protocolsIn(content);
      at = end;
    }
    return hello;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function protocolsIn(content: Buffer): string[] {
  const found: string[] = [];
  for (let at = 2; at < content.length; ) {
    const end = at + 1 + content.readUInt8(at);
    found.push(content.toString('latin1', at + 1, end));
    at = end;
  }
  return found;
}

export interface Heard {
  /** All that the client has said so far. */
  heard: Buffer;
  /** `cut`: it hung up before it had said enough. Undefined: it speaks something else, or waits. */
  hello: ClientHello | 'cut' | undefined;
}

export function hearHello(client: Socket, head: Buffer): Promise<Heard> {
  return new Promise((resolve) => {
    let heard = head;
    const finish = (hello: Heard['hello']): void => {
      clearTimeout(timer);
      client.off('readable', read).off('end', cut).off('close', cut);
      resolve({ heard, hello });
    };
    const cut = (): void => finish('cut');
    const judge = (): void => {
      const hello = readHello(heard);
      if (hello !== 'more') finish(hello);
    };
    const read = (): void => {
      const chunk = client.read() as Buffer | null;
      if (!chunk) return;
      heard = Buffer.concat([heard, chunk]);
      judge();
    };
    const timer = setTimeout(() => finish(undefined), patienceMs);
    client.on('readable', read).once('end', cut).once('close', cut);
    if (client.destroyed) cut();
    else if (head.length > 0) judge();
  });
}
