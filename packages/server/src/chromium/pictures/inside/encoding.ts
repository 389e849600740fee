/**
 * The encoder of videos, inside a page that is empty otherwise:
 *
 *   JPEG ──> canvas of the video's size, scaled to fit ──> VideoEncoder ──> VP9
 */
import type { ChunkGiven, EncodingProgram, PictureSent } from './inside.ts';

interface Opened {
  encoder: VideoEncoder;
  canvas: OffscreenCanvas;
  context: OffscreenCanvasRenderingContext2D;
}

const framerate = 6;
/** Arguments that one call can take. */
const pieceBytes = 32_768;

let opened: Opened | undefined;
let chunks: ChunkGiven[] = [];
let failure: Error | undefined;

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += pieceBytes)
    text += String.fromCharCode(...bytes.subarray(at, at + pieceBytes));
  return btoa(text);
}

function keep(chunk: EncodedVideoChunk): void {
  const data = new Uint8Array(chunk.byteLength);
  chunk.copyTo(data);
  chunks.push({ atMs: Math.round(chunk.timestamp / 1000), key: chunk.type === 'key', data: base64(data) });
}

export async function open({
  codec,
  width,
  height,
  bitrate,
}: Parameters<EncodingProgram['open']>[0]): Promise<string | undefined> {
  if (typeof VideoEncoder === 'undefined') return 'it has no video encoders';
  const config = { codec, width, height, bitrate, framerate, latencyMode: 'realtime' as const };
  if (!(await VideoEncoder.isConfigSupported(config)).supported) return 'it has no encoder for VP9';
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  if (!context) return 'it has no canvas';
  const encoder = new VideoEncoder({
    output: keep,
    error: (error) => {
      failure = error;
    },
  });
  encoder.configure(config);
  opened = { encoder, canvas, context };
  return undefined;
}

async function draw({ canvas: { width, height }, context }: Opened, jpeg: string): Promise<void> {
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
}

export async function encode(pictures: PictureSent[]): Promise<ChunkGiven[]> {
  if (!opened) throw new Error('the encoder is not open');
  chunks = [];
  for (const { atMs, key, jpeg } of pictures) {
    // one that cannot be decoded leaves the picture as it was
    if (jpeg) await draw(opened, jpeg).catch(() => undefined);
    const frame = new VideoFrame(opened.canvas, { timestamp: atMs * 1000 });
    opened.encoder.encode(frame, { keyFrame: key });
    frame.close();
  }
  await opened.encoder.flush();
  if (failure) throw failure;
  return chunks;
}
