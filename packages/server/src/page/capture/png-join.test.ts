import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { joined } from './png-join.ts';

type Filter = 0 | 1 | 2 | 3 | 4;

/** Each pixel other than its neighbours, so that a row told by its differences to the wrong one is seen. */
function picture(
  height: number,
  { from = 0, filterType = 0 as Filter, colorType = 2 as 2 | 6, width = 7 } = {},
) {
  const png = new PNG({ width, height });
  for (let at = 0; at < png.data.length; at++)
    png.data[at] = at % 4 === 3 ? (colorType === 6 ? 200 : 255) : (from + at * at * 31 + at * 7) % 251;
  return { pixels: png.data, bytes: PNG.sync.write(png, { filterType, colorType, inputColorType: 6 }) };
}

async function join(parts: Buffer[], rows: number): Promise<PNG> {
  async function* all() {
    yield* parts;
  }
  return PNG.sync.read(Buffer.concat(await Array.fromAsync(joined(all(), rows))));
}

test.each([0, 1, 2, 3, 4] as const)(
  'pictures whose rows are told in way %s are one below the other',
  async (filterType) => {
    for (const colorType of [2, 6] as const) {
      const parts = [3, 5, 1].map((height) => picture(height, { from: height * 100, filterType, colorType }));
      const whole = await join(
        parts.map(({ bytes }) => bytes),
        9,
      );
      expect([whole.width, whole.height]).toEqual([7, 9]);
      expect(whole.data.equals(Buffer.concat(parts.map(({ pixels }) => pixels)))).toBe(true);
    }
  },
);

test('pictures that do not fit together are none', async () => {
  const [one, wider, clear] = [picture(2), picture(2, { width: 8 }), picture(2, { colorType: 6 })];
  await expect(join([one.bytes, wider.bytes], 4)).rejects.toThrow('not of one kind');
  await expect(join([one.bytes, clear.bytes], 4)).rejects.toThrow('not of one kind');
  await expect(join([one.bytes], 4)).rejects.toThrow('2 rows, not 4');
});
