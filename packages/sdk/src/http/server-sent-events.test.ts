import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunksOf, type Frame, readFrames } from './server-sent-events.ts';

async function* cut(text: string, at: number[]): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const ends = [...at.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  let start = 0;
  for (const end of ends) {
    yield bytes.subarray(start, end);
    start = end;
  }
}

const read = async (chunks: AsyncIterable<Uint8Array>): Promise<Frame[]> => {
  const frames: Frame[] = [];
  for await (const frame of readFrames(chunks)) frames.push(frame);
  return frames;
};

test('frames are the same however lines end, and wherever the stream is cut, also inside a character', async () => {
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/g, ''));
  const frame = fc.record({ event: line, data: fc.array(line, { minLength: 1, maxLength: 3 }) });
  const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
  await fc.assert(
    fc.asyncProperty(fc.array(frame), lineEnd, fc.array(fc.nat()), async (frames, end, places) => {
      const written = frames.map(({ event, data }) =>
        [': still here', `id: 7`, `event: ${event}`, ...data.map((text) => `data: ${text}`), '', ''].join(
          end,
        ),
      );
      // a comment in front, as a byte order mark there would be taken for one
      const text = `: hello${end}${end}${written.join('')}data: broken off`;
      expect(await read(cut(text, places))).toEqual(
        frames.map(({ event, data }) => ({ event, data: data.join('\n') })),
      );
    }),
  );
});

test('fields without a colon, with one space or without, and unknown ones', async () => {
  expect(await read(cut('data\n\ndata:x\nretry: 5\ndatum: y\n\nevent: lonely\n\ndata:  z\n\n', []))).toEqual([
    { event: '', data: '' },
    { event: '', data: 'x' },
    { event: '', data: ' z' },
  ]);
});

test('a large event in small pieces is read once, not over and over', async () => {
  const data = 'x'.repeat(4_000_000);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    const bytes = new TextEncoder().encode(`data: ${data}\n\n`);
    for (let start = 0; start < bytes.length; start += 64) yield bytes.subarray(start, start + 64);
  }
  const [frame] = await read(pieces());
  expect(frame?.data.length).toBe(data.length);
});

test('a line that falls silent is given up, and a body that is not read on is let go', async () => {
  let cancelled = 0;
  const body = () =>
    new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(1)),
      cancel: () => void cancelled++,
    });
  const reading = chunksOf(body(), 20);
  await reading.next();
  await expect(reading.next()).rejects.toThrow('nothing came for 20 ms');
  for await (const _chunk of chunksOf(body(), 60_000)) break;
  expect(cancelled).toBe(2);
});
