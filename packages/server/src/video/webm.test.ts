import { expect, test } from 'vitest';
import { type Block, webm } from './webm.ts';

/** A reader of its own: elements as [id, content]; those that hold others are opened. */
type Element = [id: string, content: Buffer | Element[], position: number];
const masters = [
  '1a45dfa3',
  '18538067',
  '114d9b74',
  '4dbb',
  '1549a966',
  '1654ae6b',
  'ae',
  'e0',
  '1c53bb6b',
  'bb',
  'b7',
  '1f43b675',
  'a0',
];

function parse(bytes: Buffer, from = 0): Element[] {
  const found: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = at;
    const idLength = Math.clz32(bytes[at] ?? 0) - 23;
    const id = bytes.toString('hex', at, at + idLength);
    at += idLength;
    const length = Number(bytes.readBigUInt64BE(at) & ((1n << 56n) - 1n));
    at += 8;
    const content = bytes.subarray(at, at + length);
    expect(content.length).toBe(length);
    found.push([id, masters.includes(id) ? parse(content, from + at) : content, from + start]);
    at += length;
  }
  return found;
}

const inside = (elements: Element[], ...ids: string[]): Element[] =>
  ids.reduce<Element[]>((level, id, depth) => {
    const matching = level.filter(([name]) => name === id);
    return depth === ids.length - 1 ? matching : matching.flatMap(([, content]) => content as Element[]);
  }, elements);
const bytesOf = (element: Element | undefined): Buffer =>
  element ? (element[1] as Buffer) : Buffer.alloc(8);
const number = (element: Element | undefined): number => Number(bytesOf(element).readBigUInt64BE());

const blocks: Block[] = [
  { atMs: 0, key: true, size: 3 },
  { atMs: 200, key: false, size: 1 },
  { atMs: 5000, key: true, size: 2 },
  { atMs: 40_000, key: false, size: 4 },
  { atMs: 41_000, key: true, size: 5 },
];
async function written() {
  const { bytes, write } = webm({ width: 640, height: 360, durationMs: 42_500, blocks });
  const data = blocks.map(({ size }, index) => Buffer.alloc(size, index));
  const file = Buffer.concat(
    await Array.fromAsync(
      write(
        (async function* () {
          yield* data;
        })(),
      ),
    ),
  );
  expect(file.length).toBe(bytes);
  return { file, elements: parse(file) };
}

test('the file says what it is near its beginning', async () => {
  const { file } = await written();
  expect(file.toString('latin1', 0, 64)).toContain('webm');
});

test('the index in front leads to the cluster of every place to start from', async () => {
  const { elements } = await written();
  const segment = '18538067';
  const begin = (elements[1]?.[2] ?? 0) + 12;
  const cues = inside(elements, segment, '1c53bb6b', 'bb');
  const clusters = inside(elements, segment, '1f43b675');
  expect(cues).toHaveLength(4);
  for (const cue of cues) {
    const time = number(inside([cue], 'bb', 'b3')[0]);
    const position = number(inside([cue], 'bb', 'b7', 'f1')[0]);
    const cluster = clusters.find(([, , place]) => place === begin + position);
    expect(number(inside([cluster as Element], '1f43b675', 'e7')[0])).toBe(time);
  }
  const names = inside(elements, segment, '114d9b74', '4dbb').map((seek) => ({
    id: bytesOf(inside([seek], '4dbb', '53ab')[0]).toString('hex'),
    position: number(inside([seek], '4dbb', '53ac')[0]),
  }));
  for (const { id, position } of names) expect(inside(elements, segment, id)[0]?.[2]).toBe(begin + position);
});

test('every block has its time, and the last one lasts until the end', async () => {
  const { elements } = await written();
  const times = inside(elements, '18538067', '1f43b675').flatMap((cluster) => {
    const from = number(inside([cluster], '1f43b675', 'e7')[0]);
    const simple = inside([cluster], '1f43b675', 'a3');
    const grouped = inside([cluster], '1f43b675', 'a0', 'a1');
    return [...simple, ...grouped].map(([, content]) => from + (content as Buffer).readInt16BE(1));
  });
  expect(times).toEqual(blocks.map(({ atMs }) => atMs));
  expect(number(inside(elements, '18538067', '1f43b675', 'a0', '9b')[0])).toBe(1500);
  const duration = bytesOf(inside(elements, '18538067', '1549a966', '4489')[0]);
  expect(duration.readDoubleBE()).toBe(42_500);
});

test('data that is not what was announced is an error, not a broken file', async () => {
  const { write } = webm({ width: 640, height: 360, durationMs: 42_500, blocks });
  const short = (async function* () {
    yield Buffer.alloc(2);
  })();
  await expect(Array.fromAsync(write(short))).rejects.toThrow(/block/);
});
