/**
 * Makes the video of a recording that is finished, or of a part of one, in a Chromium of its own that gives way to everything else:
 *
 *   spool ──pictures, in batches──> encoder ──> scratch ──with its index in front──> the bytes of the video
 */

import { open, rm } from 'node:fs/promises';
import { openEncoder, type Picture } from '../../chromium/chromium.ts';
import { ApiError } from '../../errors.ts';
import type { Engine } from '../../kit/engine.ts';
import { type Block, type Shot, type SpoolEntry, timeline, webm } from '../../video/video.ts';
import { type LiveBrowser, type LiveParts, type OpenOptions, openLive } from '../live/live.ts';

export interface VideoMaker {
  /** Throws with the reason when no Chromium here can make videos. */
  check(): Promise<void>;
  make(work: VideoWork, signal: AbortSignal): Promise<Video>;
}

export interface VideoWork {
  entries: AsyncIterable<SpoolEntry>;
  /** A file for what is encoded, which goes with the video. */
  scratch: string;
  width: number;
  height: number;
  durationMs: number;
}

/** Gone when it is disposed. */
export interface Video extends AsyncDisposable {
  bytes: number;
  body: AsyncIterable<Uint8Array>;
}

const batchShots = 16;
const batchBytes = 4 * 1024 ** 2;

export function createVideoMaker(parts: { live: LiveParts; engines: readonly Engine[] }): VideoMaker {
  let engine: Promise<Engine> | undefined;

  const findEngine = async (): Promise<Engine> => {
    const problems: string[] = [];
    for (const candidate of parts.engines) {
      try {
        await using chromium = await encodingChromium(parts.live, candidate, {});
        await chromium.encoder({ width: 64, height: 64 });
        return candidate;
      } catch (error) {
        problems.push(`${candidate}: ${(error as Error).message}`);
      }
    }
    throw new ApiError(
      'FEATURE_UNAVAILABLE',
      `Nothing can be recorded on this server. ${problems.join('; ')}.`,
      {
        details: { field: 'recording' },
      },
    );
  };
  /** Asked once; a refusal is asked again, for its cause may have gone. */
  const chosen = (): Promise<Engine> => {
    engine ??= findEngine().catch((error) => {
      engine = undefined;
      throw error;
    });
    return engine;
  };
  return {
    async check() {
      await chosen();
    },
    async make(work, signal) {
      const { scratch } = work;
      await using undo = new AsyncDisposableStack();
      undo.defer(() => rm(scratch, { force: true }));
      const blocks = await encode(parts.live, await chosen(), work, signal);
      if (blocks.length === 0) throw new NothingShownError('no picture was taken while it ran');
      const { bytes, write } = webm({ ...work, blocks });
      const kept = undo.move();
      return {
        bytes,
        body: write(readBlocks(scratch, blocks)),
        [Symbol.asyncDispose]: () => kept.disposeAsync(),
      };
    },
  };
}

/** Trying again would not help. */
export class NothingShownError extends Error {}

async function encodingChromium(
  parts: LiveParts,
  engine: Engine,
  { signal, ...how }: Pick<OpenOptions, 'signal' | 'inBackground'>,
) {
  const live: LiveBrowser = await openLive(parts, { engine, signal, ...how });
  const end = (): void => void live.discard();
  signal?.addEventListener('abort', end, { once: true });
  return {
    encoder: (size: { width: number; height: number }) => {
      const tab = live.tabs.active;
      const sessionId = (tab && live.tabs.sessionOf(tab.tabId)) ?? '';
      return openEncoder({ cdp: live.chromium.cdp, sessionId }, size);
    },
    async [Symbol.asyncDispose]() {
      signal?.removeEventListener('abort', end);
      await live.discard();
    },
  };
}

async function encode(
  parts: LiveParts,
  engine: Engine,
  { entries, scratch, width, height, durationMs }: VideoWork,
  signal: AbortSignal,
): Promise<Block[]> {
  signal.throwIfAborted();
  await using chromium = await encodingChromium(parts, engine, { signal, inBackground: 'always' });
  const encoder = await chromium.encoder({ width, height });
  await using file = await open(scratch, 'w', 0o600);
  const blocks: Block[] = [];
  for await (const batch of inBatches(timeline(entries, durationMs))) {
    signal.throwIfAborted();
    const encoded = await encoder.encode(batch);
    await file.writeFile(Buffer.concat(encoded.map(({ data }) => data)));
    for (const { atMs, key, data } of encoded) blocks.push({ atMs, key, size: data.length });
  }
  return blocks;
}

async function* inBatches(shots: AsyncIterable<Shot>): AsyncGenerator<Picture[]> {
  let batch: Picture[] = [];
  let bytes = 0;
  for await (const { atMs, key, picture } of shots) {
    batch.push({ atMs, key, jpeg: picture });
    bytes += picture?.length ?? 0;
    if (batch.length < batchShots && bytes < batchBytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

async function* readBlocks(path: string, blocks: readonly Block[]): AsyncGenerator<Buffer> {
  await using file = await open(path, 'r');
  for (const { size } of blocks) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(size), 0, size);
    yield buffer.subarray(0, bytesRead);
  }
}
