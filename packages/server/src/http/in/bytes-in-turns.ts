/** The bytes of large bodies are read within the share of the caller's project; those that are thrown away, too. */
import type { FastifyRequest } from 'fastify';
import { type Share, shareOf } from '../../kit/loop-share.ts';

/** Below that a body is not worth a turn of its own. */
const smallBytes = 64 * 1024;
/** About what it takes to read a chunk, and each of its bytes. */
const chunkMs = 0.02;
const bytesPerMs = 1_000_000;

const shareFor = ({ principal }: FastifyRequest): Share => shareOf(principal?.projectId ?? 'strangers');
const costOf = (chunk: Uint8Array): number => chunkMs + chunk.length / bytesPerMs;

/** From now on the body flows, once a reader lets it, as fast as the project has time for it. */
export function readInTurnsOf(request: FastifyRequest): void {
  const { raw } = request;
  const { 'content-length': length, 'transfer-encoding': coding } = raw.headers;
  // A body whose length is not told may be of any.
  if (coding === undefined && !(Number(length) > smallBytes)) return;
  // A listener alone would make it flow.
  raw.pause();
  raw.on('data', (chunk: Uint8Array) => {
    const share = shareFor(request);
    share.estimate(costOf(chunk));
    if (!share.isOver || raw.isPaused()) return;
    raw.pause();
    share.wait(() => raw.resume());
  });
}

/** The same for a reader that asks for one chunk after another. */
export async function* chunksInTurns(
  request: FastifyRequest,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const share = shareFor(request);
  for await (const chunk of chunks) {
    await share.turn(costOf(chunk));
    yield chunk;
  }
}
