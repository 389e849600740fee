import { once } from 'node:events';
import type { Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as ws from 'ws';
import { FrameCutter } from './frame-cutter.ts';

/** The two halves of ws, of which its types do not tell. */
const { Receiver, Sender } = ws as unknown as {
  Receiver: new (options: object) => Writable;
  Sender: { frame(data: Buffer, options: object): Buffer[] };
};

const mebibyte = 1024 ** 2;
const maxPayload = 8 * mebibyte;

interface Sent {
  data: Buffer;
  binary: boolean;
  fin: boolean;
}

const frame = ({ data, binary, fin }: Sent, opcode = binary ? 2 : 1): Buffer =>
  Buffer.concat(
    Sender.frame(Buffer.from(data), {
      fin,
      opcode,
      rsv1: false,
      mask: true,
      readOnly: true,
    }),
  );

/** What ws makes of the bytes, given in chunks of this size. */
async function heard(bytes: Buffer, chunkBytes: number, through?: FrameCutter) {
  const receiver = new Receiver({ isServer: true, maxPayload });
  const seen: unknown[] = [];
  let writes = 0;
  receiver.on('message', (data: Buffer, binary: boolean) => seen.push([data.toString('latin1'), binary]));
  receiver.on('ping', (data: Buffer) => seen.push(data.toString()));
  receiver.on('error', (error: Error) => seen.push(error.message));
  const write = (piece: Buffer) => {
    writes++;
    receiver.write(Buffer.from(piece));
  };
  const large: number[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const chunk = bytes.subarray(at, at + chunkBytes);
    if (!through) write(chunk);
    else
      for (const piece of through.cut(chunk))
        if (typeof piece === 'number') large.push(piece);
        else if (Buffer.isBuffer(piece)) write(piece);
        else seen.push([piece.data.toString('latin1'), piece.isBinary]);
  }
  if (!receiver.destroyed) {
    receiver.end();
    await once(receiver, 'close').catch(() => undefined);
  }
  return { seen, large, writes };
}

describe('frames that are cut', () => {
  test('mean to ws what they meant before, however they come in', async () => {
    const sizes = fc.constantFrom(0, 1, 125, 126, 65_535, 65_536, 65_537, 131_072, 200_003, 1_500_001);
    const message = fc.record({ size: sizes, parts: fc.integer({ min: 1, max: 3 }), binary: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(1, 3, 7, 1000, 65_536, 1_000_000),
        async (messages, chunkBytes) => {
          const frames = messages.flatMap(({ size, parts, binary }, n) => {
            const data = Buffer.alloc(size, `message ${n} `);
            return Array.from({ length: parts }, (_, part) => [
              frame({ data, binary, fin: part === parts - 1 }, part > 0 ? 0 : undefined),
              frame({ data: Buffer.from('now'), binary, fin: true }, 9),
            ]).flat();
          });
          // A byte at a time is for the heads; of more there would be nothing new to see.
          const bytes = Buffer.concat(
            chunkBytes < 1000 ? frames.filter(({ length }) => length < 1000) : frames,
          );
          const plain = await heard(bytes, chunkBytes);
          const cut = await heard(
            bytes,
            chunkBytes,
            new FrameCutter({ largeBytes: mebibyte, mostBytes: maxPayload }),
          );
          expect(cut.seen).toEqual(plain.seen);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('are refused by ws where they were before', async () => {
    const unmasked = Buffer.concat([Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 2, 0, 0]), Buffer.alloc(131_072)]);
    const reserved = frame({ data: Buffer.alloc(100_000), binary: true, fin: true });
    reserved[0] = (reserved[0] as number) | 0x40;
    const tooLarge = frame({ data: Buffer.alloc(maxPayload + 1), binary: true, fin: true });
    for (const bytes of [unmasked, reserved, tooLarge]) {
      const plain = await heard(bytes, 65_536);
      const cut = await heard(
        bytes,
        65_536,
        new FrameCutter({ largeBytes: mebibyte, mostBytes: maxPayload }),
      );
      expect(plain.seen).toHaveLength(1);
      expect(cut.seen).toEqual(plain.seen);
    }
  });

  test('are few: short ones pass in the chunk they came in', async () => {
    const many = Array.from({ length: 500 }, () =>
      frame({ data: Buffer.from('{"id":1}'), binary: false, fin: true }),
    );
    const { seen, writes } = await heard(
      Buffer.concat(many),
      1_000_000,
      new FrameCutter({ largeBytes: mebibyte, mostBytes: maxPayload }),
    );
    expect([seen.length, writes]).toEqual([500, 1]);
  });

  test('of which thousands come at once reach ws in pieces', async () => {
    const ping = frame({ data: Buffer.from('now'), binary: false, fin: true }, 9);
    const { seen, writes } = await heard(
      Buffer.concat(Array.from({ length: 5000 }, () => ping)),
      1_000_000,
      new FrameCutter({ largeBytes: mebibyte, mostBytes: maxPayload }),
    );
    expect([seen.length, writes]).toEqual([5000, 6]);
  });
});

test('what makes a message large is told before it is passed on', async () => {
  const part = Buffer.alloc(400_000);
  const fragmented = [1, 0, 0, 0].map((opcode, n) =>
    frame({ data: part, binary: false, fin: n === 3 }, opcode),
  );
  const whole = frame({ data: Buffer.alloc(2 * mebibyte), binary: false, fin: true });
  const bytes = Buffer.concat([...fragmented, whole, frame({ data: part, binary: false, fin: true })]);
  const { large } = await heard(
    bytes,
    65_536,
    new FrameCutter({ largeBytes: mebibyte, mostBytes: maxPayload }),
  );
  expect(large).toEqual([1_200_000, 400_000, 2 * mebibyte]);
});

test('the memory of what was copied into a large message is given back, and that of what goes on to ws is not', () => {
  const bytes = frame({ data: Buffer.alloc(3 * mebibyte, 'x'), binary: false, fin: true });
  const ownChunk = (from: number, to: number): Buffer => {
    const chunk = Buffer.allocUnsafeSlow(to - from);
    bytes.copy(chunk, 0, from, to);
    return chunk;
  };
  const cutter = new FrameCutter({ largeBytes: mebibyte, mostBytes: maxPayload });
  const [first, second, third] = [
    ownChunk(0, mebibyte),
    ownChunk(mebibyte, 2 * mebibyte),
    ownChunk(2 * mebibyte, bytes.length),
  ];
  const pieces = [first, second, third].flatMap((chunk) => [...cutter.cut(chunk)]);
  expect([first.length, second.length, third.length]).toEqual([mebibyte, 0, 0]);
  const message = pieces.find((piece) => typeof piece === 'object' && !Buffer.isBuffer(piece));
  expect((message as { data: Buffer }).data.equals(Buffer.alloc(3 * mebibyte, 'x'))).toBe(true);
  const short = frame({ data: Buffer.alloc(20 * 1024, 'y'), binary: false, fin: true });
  const own = Buffer.allocUnsafeSlow(short.length);
  short.copy(own);
  void [...cutter.cut(own)];
  expect(own.length).toBe(short.length);
});
