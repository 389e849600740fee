import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Api } from './client.ts';

/** What viewers see of a video: Chromium's own player, and ffprobe where the machine has it. */
export interface Shown {
  duration: number;
  width: number;
  height: number;
  /** The colour in the middle of the picture at each of the times. */
  colours: string[];
}

/** Runs in the player's page; what it saw is its text. */
const look = `async (times) => {
  const video = document.getElementById('v');
  const until = (name) => new Promise((resolve, reject) => {
    video.addEventListener(name, resolve, { once: true });
    video.addEventListener('error', () => reject(new Error(video.error?.message)), { once: true });
  });
  if (video.error) throw new Error(video.error.message);
  if (video.readyState < 2) await until('loadeddata');
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const colours = [];
  for (const at of times) {
    const sought = until('seeked');
    video.currentTime = at / 1000;
    await sought;
    // The picture is there a moment after the seeking is over; until then nothing is drawn.
    canvas.clearRect(0, 0, 1, 1);
    let [r, g, b, opacity] = [0, 0, 0, 0];
    while (opacity === 0) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      canvas.drawImage(video, video.videoWidth / 2, video.videoHeight / 2, 1, 1, 0, 0, 1, 1);
      [r, g, b, opacity] = canvas.getImageData(0, 0, 1, 1).data;
    }
    colours.push([r, g, b].map((part) => (part > 127 ? 1 : 0)).join(''));
  }
  return { duration: video.duration * 1000, width: video.videoWidth, height: video.videoHeight, colours };
}`;

const player = (times: number[]): string => `<!doctype html>
<video id="v" src="/video.webm" muted preload="auto"></video><script>
const told = (seen) => document.body.append(
  Object.assign(document.createElement('pre'), { id: 'seen', textContent: JSON.stringify(seen) }));
(${look})(${JSON.stringify(times)}).then(told, ({ message }) => told({ message }));
</script>`;

const names: Record<string, string> = {
  '000': 'black',
  '100': 'red',
  '010': 'lime',
  '001': 'blue',
  '110': 'yellow',
  '011': 'cyan',
  '101': 'magenta',
  '111': 'white',
};

/** Seeks to each of the times, in milliseconds, in a page that a quick action visits. */
export async function playVideo(api: Api, video: Uint8Array, times: number[]): Promise<Shown> {
  const server = createServer((request, response) => {
    if (request.url === '/') return response.setHeader('content-type', 'text/html').end(player(times));
    const [, from = '0', to] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? [];
    const part = video.subarray(Number(from), to ? Number(to) + 1 : undefined);
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${video.length}`;
    response.writeHead(request.headers.range ? 206 : 200, {
      'content-type': 'video/webm',
      'content-length': part.length,
      'accept-ranges': 'bytes',
      ...(request.headers.range && { 'content-range': range }),
    });
    return response.end(part);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const { body } = await api.call('POST', '/v1/scrape', {
      body: {
        url: `http://127.0.0.1:${port}/`,
        policy: { privateAccess: { localhost: true } },
        waitFor: '#seen',
        extract: { seen: { selector: '#seen' } },
      },
    });
    if (body.error) throw new Error(body.error.message);
    const { message, ...seen } = JSON.parse(body.data.seen);
    if (message) throw new Error(message);
    return { ...seen, colours: seen.colours.map((bits: string) => names[bits]) };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** The pictures of a video of the service as they were encoded, in whose files all lengths take eight bytes. */
export function blocksOf(video: Uint8Array): { key: boolean; data: Uint8Array }[] {
  const bytes = Buffer.from(video.buffer, video.byteOffset, video.byteLength);
  const found: { key: boolean; data: Uint8Array }[] = [];
  /** Segment, cluster and group, which hold the blocks. */
  const opened = ['18538067', '1f43b675', 'a0'];
  for (let at = 0; at < bytes.length; ) {
    const idLength = Math.clz32(bytes[at] ?? 0) - 23;
    const id = bytes.toString('hex', at, at + idLength);
    const length = Number(bytes.readBigUInt64BE(at + idLength) & ((1n << 56n) - 1n));
    at += idLength + 8;
    if (opened.includes(id)) continue;
    const data = bytes.subarray(at + 4, at + length);
    // A block in a group is the last one, and key.
    if (id === 'a3') found.push({ key: (bytes[at + 3] ?? 0) >= 0x80, data });
    if (id === 'a1') found.push({ key: true, data });
    at += length;
  }
  return found;
}

/** Undefined where there is no ffprobe; any complaint of it is an error. */
export async function probeVideo(
  video: Uint8Array,
): Promise<{ durationMs: number; frames: number } | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'browserd-video-'));
  const file = join(folder, 'video.webm');
  try {
    await writeFile(file, video);
    const wanted = ['-count_frames', '-show_entries', 'stream=nb_read_frames:format=duration', '-of', 'json'];
    const { stdout, stderr } = await promisify(execFile)('ffprobe', ['-v', 'warning', ...wanted, file]);
    if (stderr) throw new Error(`ffprobe complains: ${stderr}`);
    const { streams, format } = JSON.parse(stdout);
    return { durationMs: Number(format.duration) * 1000, frames: Number(streams[0].nb_read_frames) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
