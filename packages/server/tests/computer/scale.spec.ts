import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines } from '../../src/chromium/pipe/mux.fixture.ts';
import { readPng } from '../support/capture-client.ts';
import { type Computer, computerOf } from '../support/computer-client.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

/** A red square of 40 × 20 CSS pixels whose corner is at 100, 60, on white. */
const square = `<!doctype html><title>square</title><body style="margin:0;height:3000px;background:#fff">
  <div style="position:absolute;left:100px;top:60px;width:40px;height:20px;background:#f00"></div>
  <script>addEventListener('mousedown', (e) => { window.pressed = [e.clientX, e.clientY] })</script>`;

let server: TestServer;
let site: Site;
const policy = { privateAccess: { localhost: true } };
const png = { format: 'png' };

beforeAll(async () => {
  site = await startSite({ '/square': square });
  server = await startServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

interface Shot {
  mimeType: string;
  width: number;
  height: number;
  data: string;
}

const image = ({ data }: Shot) => readPng({ status: 200, bytes: Buffer.from(data, 'base64') } as never);
/** The edges of what is red, in pixels of the picture, along the lines through a place in it. */
function redAround(shot: Shot, [x, y]: [number, number]): number[] {
  const { width, height, at } = image(shot);
  const isRed = ([r = 0, g = 0, b = 0]: number[]): boolean => r > 200 && g < 60 && b < 60;
  const across = Array.from({ length: width }, (_, n) => n).filter((n) => isRed(at(n, y)));
  const down = Array.from({ length: height }, (_, n) => n).filter((n) => isRed(at(x, n)));
  return [across[0] ?? -1, down[0] ?? -1, (across.at(-1) ?? -1) + 1, (down.at(-1) ?? -1) + 1];
}

describe.each(engines)(
  'the picture of a page with two device pixels to a CSS pixel, in the engine %s:',
  (engine) => {
    let screen: Computer;
    let id: string;
    const pressed = () => screen.run('return page.evaluate(() => pressed)');

    beforeAll(async () => {
      const viewport = { width: 640, height: 360, deviceScaleFactor: 2 };
      id = (await server.api.create({ policy, engine, viewport, startUrl: `${site.origin}/square` })).body.id;
      screen = computerOf(server.api, id);
    });
    afterAll(() => server.api.remove(id));

    test.each([
      ['is in CSS pixels, where no scale is given', undefined, 1],
      ['is half as large', { maxSide: 320 }, 0.5],
      ['is twice as large', { width: 1280, height: 720 }, 2],
      ['keeps its proportions in another frame', { width: 1280, height: 400 }, 400 / 360],
    ])('%s, and its places are those of the page', async (_, scale, factor) => {
      const { picture, screen: size } = await screen.does(
        { type: 'wait', ms: 0 },
        { screenshot: png, scale },
      );
      const [width, height] = [Math.round(640 * factor), Math.round(360 * factor)];
      expect(picture).toMatchObject({ mimeType: 'image/png', width, height });
      expect(size).toEqual({ width, height });
      const edges = redAround(picture, [Math.round(120 * factor), Math.round(70 * factor)]);
      for (const [at, edge] of [100, 60, 140, 80].entries())
        expect(Math.abs((edges[at] ?? 0) - edge * factor)).toBeLessThanOrEqual(1);
      await screen.does({ type: 'click', x: 100 * factor, y: 60 * factor }, { scale });
      expect(await pressed()).toEqual([100, 60]);
      await screen.does({ type: 'click', x: 500, y: 250, unit: 'thousandths' }, { scale });
      expect(await pressed()).toEqual([320, 90]);
    });

    test('shows a part from near', async () => {
      const region = [50, 30, 70, 40];
      const { actions } = await screen.does(
        { type: 'zoom', region },
        { scale: { maxSide: 320 }, screenshot: png },
      );
      const [near] = actions;
      expect(near.picture).toMatchObject({ width: 320, height: 160 });
      expect(redAround(near.picture, [160, 80])).toEqual([0, 0, 320, 160]);
    });

    test('comes as JPEG and WebP of the same size', async () => {
      for (const format of ['jpeg', 'webp']) {
        const { picture } = await screen.does(
          { type: 'wait', ms: 0 },
          { screenshot: { format, quality: 50 } },
        );
        expect(picture).toMatchObject({ mimeType: `image/${format}`, width: 640, height: 360 });
      }
    });

    test('has other places in a window of another size that is scrolled', async () => {
      const pages = () => screen.run('return context.pages().length');
      await screen.run(
        "await page.evaluate(() => { open(location.href, '', 'popup,width=400,height=200') })",
      );
      await expect.poll(pages).toBe(2);
      const inner =
        'const all = context.pages(); const popup = all.at(-1); await popup.evaluate(() => scrollTo(0, 20))';
      const size = `${inner}; return popup.evaluate(() => [innerWidth, innerHeight])`;
      const [width, height] = (await screen.run(size)) as [number, number];
      const scale = { width: Math.round(width / 2), height: Math.round(height / 2) };
      const { picture } = await screen.does({ type: 'wait', ms: 0 }, { screenshot: png, scale });
      expect(picture).toMatchObject(scale);
      expect(redAround(picture, [60, 25])).toEqual([50, 20, 70, 30]);
      await screen.does({ type: 'click', x: 50, y: 20 }, { scale });
      expect(await screen.run('return context.pages().at(-1).evaluate(() => pressed)')).toEqual([100, 40]);
    });
  },
);
