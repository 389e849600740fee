/** A name server on loopback that answers A records from a table, says no to other names, and never answers some. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface NameServer extends Disposable {
  /** `127.0.0.1:PORT`. */
  address: string;
  /** Names that were asked for, in order. */
  asked: string[];
}

const typeA = 1;

/** Names that end in `.slow` get no answer. */
export async function startNameServer(records: Record<string, string>): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
    const name = labels.join('.').toLowerCase();
    asked.push(name);
    if (name.endsWith('.slow')) return;
    const address = query.readUInt16BE(at + 1) === typeA ? records[name] : undefined;
    const question = query.subarray(12, at + 5);
    const known = name in records;
    const head = Buffer.from([
      query[0] ?? 0,
      query[1] ?? 0,
      0x81,
      known ? 0x80 : 0x83,
      0,
      1,
      0,
      address ? 1 : 0,
      0,
      0,
      0,
      0,
    ]);
    const record = [0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4, ...(address ?? '').split('.').map(Number)];
    socket.send(Buffer.concat([head, question, Buffer.from(address ? record : [])]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    [Symbol.dispose]: () => socket.close(),
  };
}
