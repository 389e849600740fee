import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLocalStorage } from './local-storage.ts';
import { unsnap } from './snappy.ts';

/** The writing half, as LevelDB has it: only as much as is needed to make what Chromium leaves behind. */
const varint = (value: number): Buffer => {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
};
const text = (bytes: Buffer): Buffer => Buffer.concat([varint(bytes.length), bytes]);
const number = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};

/** Records over several blocks are written in pieces; sums are not looked at. */
function log(records: Buffer[]): Buffer {
  const blockBytes = 32_768;
  let out = Buffer.alloc(0);
  for (const record of records)
    for (let at = 0, first = true; at < record.length || first; first = false) {
      const left = blockBytes - (out.length % blockBytes);
      if (left < 7) out = Buffer.concat([out, Buffer.alloc(left)]);
      const room = blockBytes - (out.length % blockBytes) - 7;
      const piece = record.subarray(at, at + room);
      at += piece.length;
      const isLast = at >= record.length;
      const head = Buffer.alloc(7);
      head.writeUInt16LE(piece.length, 4);
      head.writeUInt8(first && isLast ? 1 : first ? 2 : isLast ? 4 : 3, 6);
      out = Buffer.concat([out, head, piece]);
    }
  return out;
}

type Change = [key: Buffer, value: Buffer | null];

const batch = (sequence: number, changes: Change[]): Buffer => {
  const count = Buffer.alloc(4);
  count.writeUInt32LE(changes.length);
  const body = changes.map(([key, value]) =>
    value === null
      ? Buffer.concat([Buffer.from([0]), text(key)])
      : Buffer.concat([Buffer.from([1]), text(key), text(value)]),
  );
  return Buffer.concat([number(BigInt(sequence)), count, ...body]);
};

/** Snappy without a single copy: literals only. */
const snapped = (bytes: Buffer): Buffer => {
  const pieces = [varint(bytes.length)];
  for (let at = 0; at < bytes.length; at += 60) {
    const piece = bytes.subarray(at, at + 60);
    pieces.push(Buffer.from([(piece.length - 1) << 2]), piece);
  }
  return Buffer.concat(pieces);
};

const block = (entries: [Buffer, Buffer][]): Buffer => {
  let last: Buffer = Buffer.alloc(0);
  const parts = entries.map(([key, value]) => {
    let shared = 0;
    while (shared < Math.min(last.length, key.length) && last[shared] === key[shared]) shared++;
    last = key;
    const own = key.subarray(shared);
    return Buffer.concat([varint(shared), varint(own.length), varint(value.length), own, value]);
  });
  const restarts = Buffer.alloc(8);
  restarts.writeUInt32LE(1, 4);
  return Buffer.concat([...parts, restarts]);
};

function table(sequence: number, changes: Change[], compress: boolean): Buffer {
  const internal = ([key, value]: Change, n: number): [Buffer, Buffer] => [
    Buffer.concat([key, number((BigInt(sequence + n) << 8n) | (value === null ? 0n : 1n))]),
    value ?? Buffer.alloc(0),
  ];
  const plain = block(changes.map(internal));
  const data = compress ? snapped(plain) : plain;
  const place = (offset: number, size: number): Buffer => Buffer.concat([varint(offset), varint(size)]);
  const trailer = (type: number): Buffer => Buffer.from([type, 0, 0, 0, 0]);
  const index = block([[Buffer.from('z'), place(0, data.length)]]);
  const indexAt = data.length + 5;
  const footer = Buffer.alloc(48);
  Buffer.concat([place(0, 0), place(indexAt, index.length)]).copy(footer);
  footer.writeBigUInt64LE(0xdb4775248b80fb57n, 40);
  return Buffer.concat([data, trailer(compress ? 1 : 0), index, trailer(0), footer]);
}

const manifest = (firstLog: number, tables: number[]): Buffer =>
  log([
    Buffer.concat([
      Buffer.concat([varint(1), text(Buffer.from('leveldb.BytewiseComparator'))]),
      Buffer.concat([varint(2), varint(firstLog), varint(3), varint(9), varint(4), varint(99)]),
      ...tables.map((file) =>
        Buffer.concat([
          varint(7),
          varint(0),
          varint(file),
          varint(1),
          text(Buffer.from('a')),
          text(Buffer.from('z')),
        ]),
      ),
    ]),
  ]);

const latin = (value: string): Buffer => Buffer.concat([Buffer.from([1]), Buffer.from(value, 'latin1')]);
const wide = (value: string): Buffer => Buffer.concat([Buffer.from([0]), Buffer.from(value, 'utf16le')]);
const item = (origin: string, key: Buffer): Buffer => Buffer.concat([Buffer.from(`_${origin}\0`), key]);

const files = (parts: { log: Buffer; tables?: Record<number, Buffer> }) =>
  new Map<string, Buffer>([
    ['CURRENT', Buffer.from('MANIFEST-000001\n')],
    ['MANIFEST-000001', manifest(8, Object.keys(parts.tables ?? {}).map(Number))],
    ['000003.log', log([batch(1, [[item('https://old.example', latin('a')), latin('not counted')]])])],
    ['000008.log', parts.log],
    ...Object.entries(parts.tables ?? {}).map(([n, bytes]) => [`${n.padStart(6, '0')}.ldb`, bytes] as const),
    ['LOG', Buffer.from('words')],
  ]);

const one = 'https://one.example';
const sample = (compress: boolean) =>
  files({
    log: log([
      batch(50, [
        [item(one, latin('changed')), latin('new')],
        [item(one, latin('removed')), null],
        [item('http://127.0.0.1:8080', wide('schlüssel ✓')), wide('x'.repeat(50_000))],
      ]),
    ]),
    tables: {
      5: table(
        10,
        [
          [Buffer.from('META:https://one.example'), Buffer.from([8, 1])],
          [item(one, latin('changed')), latin('old')],
          [item(one, latin('kept')), wide('日本')],
          [item(one, latin('removed')), latin('gone')],
        ],
        compress,
      ),
    },
  });

test.each([false, true])(
  'the newest of each key is found, in tables and logs, compressed: %s',
  (compress) => {
    const found = readLocalStorage(sample(compress)).map(({ origin, entries }) => [
      origin,
      new Map(JSON.parse(entries) as [string, string][]),
    ]);
    expect(new Map(found as [string, Map<string, string>][])).toEqual(
      new Map([
        [
          one,
          new Map([
            ['changed', 'new'],
            ['kept', '日本'],
          ]),
        ],
        ['http://127.0.0.1:8080', new Map([['schlüssel ✓', 'x'.repeat(50_000)]])],
      ]),
    );
    expect(readLocalStorage(new Map())).toEqual([]);
  },
);

test('what belongs to a frame in the page of another site, or is not understood, is an error', () => {
  const framed = log([batch(1, [[item('https://a.example/^0https://b.example', latin('k')), latin('v')]])]);
  expect(() => readLocalStorage(files({ log: framed }))).toThrow('plain origin');
  const odd = log([batch(1, [[item(one, latin('k')), Buffer.from([7, 7])]])]);
  expect(() => readLocalStorage(files({ log: odd }))).toThrow('kind');
  const missing = sample(false);
  missing.delete('000005.ldb');
  expect(() => readLocalStorage(missing)).toThrow('missing');
});

test('files that are damaged in any way end in an answer or an error, never in a hang', () => {
  const whole = [...sample(true)];
  fc.assert(
    fc.property(
      fc.nat(whole.length - 1),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 5 }),
      fc.nat(),
      (which, changes, cut) => {
        const damaged = new Map(whole.map(([name, bytes]) => [name, Buffer.from(bytes)]));
        const [name = ''] = whole[which] ?? [];
        const bytes = damaged.get(name) ?? Buffer.alloc(0);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        damaged.set(name, bytes.subarray(0, bytes.length - (cut % Math.max(1, bytes.length >> 3))));
        try {
          readLocalStorage(damaged);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('compressed bytes come out as they went in, also where copies overlap', () => {
  const overlapping = Buffer.from([9, (3 - 1) << 2, 97, 98, 99, ((6 - 4) << 2) | 1, 3]);
  expect(String(unsnap(overlapping))).toBe('abcabcabc');
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1000 }), (bytes) => {
      expect(unsnap(snapped(Buffer.from(bytes)))).toEqual(Buffer.from(bytes));
    }),
  );
  expect(() => unsnap(Buffer.from([5, 1]))).toThrow();
});
