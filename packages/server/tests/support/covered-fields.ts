import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ScriptClient } from './script-client.ts';
import { blocksOf } from './video.ts';

/** A page with fields in which letters are easily told from dots, and a look at pictures and videos of it. */
export interface CoveredFields extends AsyncDisposable {
  origin: string;
  /** The same pages, as another site. */
  other: string;
  /** What each picture shows in each field, in their order. */
  inPictures(scripts: ScriptClient, pictures: Uint8Array[]): Promise<Shown[]>;
  /** What every picture of a recording shows. */
  inVideo(scripts: ScriptClient, video: Uint8Array): Promise<Shown[]>;
}

/** Of every field that is looked at: nothing, as many dots as the page's own field of dots has, or anything else. */
export type Shown = Record<string, 'empty' | 'dots' | 'letters'>;

/** As many letters as the field of dots has. */
export const letters = 'HLTFEHLT';
export const viewport = { width: 640, height: 480 };
/** The fields that secrets are typed into. */
export const covered = ['text', 'password', 'area', 'editable'];

const rowHeight = 80;
const rows = ['dots', 'plain', ...covered];

const page = `<!doctype html><title>fields</title><style>
  body { margin: 0; background: white }
  .row { position: absolute; left: 0; box-sizing: border-box; width: 640px; height: ${rowHeight}px; margin: 0; padding: 0; border: 0;
    outline: 0; resize: none; overflow: hidden; font: 50px/${rowHeight}px monospace; color: red; background: white; caret-color: transparent }
  ${rows.map((id, row) => `#${id} { top: ${row * rowHeight}px }`).join(' ')}
  .bare { -webkit-text-security: none !important }
</style><form>
<input class="row" id="dots" type="password" value="${letters.replaceAll(/./g, 'x')}">
<input class="row" id="plain"><input class="row" id="text"><input class="row" id="password" type="password">
<textarea class="row" id="area"></textarea><div class="row" id="editable" contenteditable spellcheck="false"></div></form>`;

/** The fields in a frame that covers the page, for a page of another site. */
const framed = (origin: string): string =>
  `<!doctype html><title>framed</title><style>body { margin: 0 } iframe { border: 0; display: block }</style>
  <iframe id="f" src="${origin}/fields" width="${viewport.width}" height="${viewport.height}"></iframe>`;

/** Run in the page that looks. A pixel is of a letter or of a dot if it is rather red than white. */
const look = `
  const canvas = new OffscreenCanvas(${viewport.width}, ${viewport.height}).getContext('2d', { willReadFrequently: true });
  const shownIn = (picture) => {
    canvas.drawImage(picture, 0, 0, ${viewport.width}, ${viewport.height});
    const { data } = canvas.getImageData(0, 0, ${viewport.width}, ${viewport.height});
    const inked = (at) => data[at * 4] > 128 && data[at * 4 + 1] < 128;
    const size = ${viewport.width * rowHeight};
    /** How many pixels of the row are inked, and how many are not as in the row of dots. */
    const count = (row) => {
      let [ink, other] = [0, 0];
      for (let n = 0; n < size; n++) {
        const is = inked(row * size + n);
        if (is) ink++;
        if (is !== inked(n)) other++;
      }
      return { ink, other };
    };
    const dots = count(0);
    const kind = ({ ink, other }) => ink === 0 ? 'empty' : other < dots.ink / 4 ? 'dots' : 'letters';
    return Object.fromEntries(${JSON.stringify(rows)}.map((id, row) => [id, kind(count(row))]));
  };
  const bytes = async (n) => (await fetch('/bytes/' + n)).blob();`;

const lookAtPictures = `async (count) => { ${look}
  const seen = [];
  for (let n = 0; n < count; n++) seen.push(shownIn(await createImageBitmap(await bytes(n))));
  return seen;
}`;

const lookAtVideo = `async (keys) => { ${look}
  const seen = [];
  const decoder = new VideoDecoder({
    output: (frame) => { seen.push(shownIn(frame)); frame.close() },
    error: (error) => { throw error },
  });
  decoder.configure({ codec: 'vp09.00.10.08' });
  for (const [n, key] of keys.entries()) {
    const data = await (await bytes(n)).arrayBuffer();
    decoder.decode(new EncodedVideoChunk({ type: key ? 'key' : 'delta', timestamp: n, data }));
  }
  await decoder.flush();
  return seen;
}`;

export async function startCoveredFields(): Promise<CoveredFields> {
  let served: Uint8Array[] = [];
  const server = createServer(({ url = '' }, response) => {
    if (url === '/fields') return response.setHeader('content-type', 'text/html').end(page);
    if (url === '/framed') return response.setHeader('content-type', 'text/html').end(framed(origin));
    const [, n] = /^\/bytes\/(\d+)$/.exec(url) ?? [];
    if (n) return response.end(served[Number(n)]);
    return response.setHeader('content-type', 'text/html').end('<!doctype html><title>other</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const seenBy = async (scripts: ScriptClient, inside: string, given: unknown): Promise<Shown[]> =>
    (await scripts.resultOf(`await page.goto(args.url); return page.evaluate(${inside}, args.given)`, {
      args: { url: `${origin}/look`, given },
    })) as Shown[];
  return {
    origin,
    other: `http://localhost:${port}`,
    inPictures(scripts, pictures) {
      served = pictures;
      return seenBy(scripts, lookAtPictures, pictures.length);
    },
    inVideo(scripts, video) {
      const blocks = blocksOf(video);
      served = blocks.map(({ data }) => data);
      const keys = blocks.map(({ key }) => key);
      return seenBy(scripts, lookAtVideo, keys);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
