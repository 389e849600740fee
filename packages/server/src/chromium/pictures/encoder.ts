/**
 * Video encoding by Chromium itself (WebCodecs), so that it works wherever the service does, and so that pictures, which
 * a hostile page has drawn, are decoded only inside a box.
 *
 *   JPEG ──> canvas of the video's size, scaled to fit ──> VideoEncoder ──> VP9
 *
 * The page is an empty file, because only a secure context has encoders.
 */
import type { Cdp } from '../pipe/pipe.ts';

export interface Encoder {
  /** In the same order; an encoder that must save leaves some out, and the one before stands for them. */
  encode(pictures: readonly Picture[]): Promise<Encoded[]>;
}

export interface Picture {
  atMs: number;
  key: boolean;
  /** Undefined shows the one before again. */
  jpeg: Buffer | undefined;
}

export interface Encoded {
  atMs: number;
  key: boolean;
  data: Buffer;
}

export interface EncoderPage {
  cdp: Cdp;
  sessionId: string;
}

const emptySecurePage = 'file:///dev/null';
const startMs = 20_000;
/** One batch; a busy machine gives a background process little. */
const batchMs = 120_000;
/** Enough for sharp text at a few pictures a second; a page that stands still uses next to nothing of it. */
const bitsPerPixel = 0.8;
/** VP9, which all players of WebM know. The level allows any size a tab can have. */
const codec = 'vp09.00.51.08';

/** Runs inside the page. */
const program = `
globalThis.openEncoder = async ({ width, height, bitrate }) => {
  if (typeof VideoEncoder === 'undefined') return 'it has no video encoders';
  const config = { codec: '${codec}', width, height, bitrate, framerate: 6, latencyMode: 'realtime' };
  if (!(await VideoEncoder.isConfigSupported(config)).supported) return 'it has no encoder for VP9';
  let out = [];
  let failure;
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      out.push({ atMs: Math.round(chunk.timestamp / 1000), key: chunk.type === 'key', data: base64(data) });
    },
    error: (error) => { failure = error; },
  });
  encoder.configure(config);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  const base64 = (bytes) => {
    let text = '';
    for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
    return btoa(text);
  };
  const draw = async (jpeg) => {
    const bytes = Uint8Array.from(atob(jpeg), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
    const scale = Math.min(width / image.width, height / image.height);
    const [w, h] = [image.width * scale, image.height * scale];
    if (w < width - 1 || h < height - 1) {
      context.fillStyle = 'black';
      context.fillRect(0, 0, width, height);
    }
    context.drawImage(image, (width - w) / 2, (height - h) / 2, w, h);
    image.close();
  };
  globalThis.encode = async (pictures) => {
    out = [];
    for (const { atMs, key, jpeg } of pictures) {
      // one that cannot be decoded leaves the picture as it was
      if (jpeg) await draw(jpeg).catch(() => undefined);
      const frame = new VideoFrame(canvas, { timestamp: atMs * 1000 });
      encoder.encode(frame, { keyFrame: key });
      frame.close();
    }
    await encoder.flush();
    if (failure) throw failure;
    return out;
  };
};`;

/** Why this Chromium cannot encode is said in the error. */
export async function openEncoder(
  { cdp, sessionId }: EncoderPage,
  size: { width: number; height: number },
): Promise<Encoder> {
  const run = async (expression: string, timeoutMs: number): Promise<unknown> => {
    const { result, exceptionDetails } = await cdp.send(
      'Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: true },
      { sessionId, timeoutMs },
    );
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  const bitrate = Math.round(size.width * size.height * bitsPerPixel);
  await cdp.send('Page.navigate', { url: emptySecurePage }, { sessionId, timeoutMs: startMs });
  const refusal = await run(`${program}; openEncoder(${JSON.stringify({ ...size, bitrate })})`, startMs);
  if (refusal) throw new Error(`this Chromium cannot encode video: ${refusal}`);
  return {
    async encode(pictures) {
      const sent = pictures.map(({ jpeg, ...rest }) => ({ ...rest, jpeg: jpeg?.toString('base64') }));
      const out = await run(`encode(${JSON.stringify(sent)})`, batchMs);
      return checked(out, pictures);
    },
  };
}

/** The page has decoded what strangers drew: what it says is looked at before it is believed. */
function checked(out: unknown, pictures: readonly Picture[]): Encoded[] {
  const chunks = (Array.isArray(out) ? out : []) as { atMs: number; key: boolean; data: string }[];
  const times = new Set(pictures.map(({ atMs }) => atMs));
  let last = -1;
  return chunks.map(({ atMs, key, data }) => {
    if (!times.has(atMs) || atMs <= last || typeof data !== 'string')
      throw new Error('the encoder gave something else than the pictures it was given');
    last = atMs;
    return { atMs, key: key === true, data: Buffer.from(data, 'base64') };
  });
}
