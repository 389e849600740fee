/**
 * Video encoding by Chromium itself (WebCodecs), so that it works wherever the service does, and so that pictures, which
 * a hostile page has drawn, are decoded only inside a box.
 *
 *   JPEG ──> a page of ours (inside/encoding.ts) ──> VP9
 *
 * The page is an empty file, because only a secure context has encoders.
 */
import { join } from 'node:path';
import { type Expression, pageProgram } from '../../kit/page-program.ts';
import type { Cdp } from '../pipe/pipe.ts';
import type { EncodingProgram } from './inside/inside.ts';

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

const program = pageProgram<EncodingProgram>(join(import.meta.dirname, 'inside/encoding'));

/** Why this Chromium cannot encode is said in the error. */
export async function openEncoder(
  { cdp, sessionId }: EncoderPage,
  size: { width: number; height: number },
): Promise<Encoder> {
  const run = async <T>(expression: Expression<T>, timeoutMs: number): Promise<T> => {
    const { result, exceptionDetails } = await cdp.send(
      'Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: true },
      { sessionId, timeoutMs },
    );
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as T;
  };
  const bitrate = Math.round(size.width * size.height * bitsPerPixel);
  await cdp.send('Page.navigate', { url: emptySecurePage }, { sessionId, timeoutMs: startMs });
  const refusal = await run(program.call('open', { ...size, codec, bitrate }), startMs);
  if (refusal) throw new Error(`this Chromium cannot encode video: ${refusal}`);
  return {
    async encode(pictures) {
      const sent = pictures.map(({ jpeg, ...rest }) => ({ ...rest, jpeg: jpeg?.toString('base64') }));
      const out = await run(program.call('encode', sent), batchMs);
      return checked(out, pictures);
    },
  };
}

/** The page has decoded what hostile pages drew: what it gives is checked before it is used. */
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
