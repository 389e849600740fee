/**
 * What a caller uploads, as a body for fetch: values that are there are sent as they are and may be sent again, streams
 * are sent as they come and only once.
 */
import { invalidArgument } from '../errors.ts';

/** A body that fetch accepts; the name that web pages have for it does not exist in every runtime. */
export type Sendable = NonNullable<RequestInit['body']>;

/** Accepted by `files.upload`. Streams are sent as they come, and only once. */
export type Uploadable =
  | string
  | Uint8Array
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array | string>;

export function uploadOf(content: Uploadable): { content: Sendable; repeatable: boolean } {
  if (content instanceof ReadableStream) return { content, repeatable: false };
  if (typeof content === 'object' && Symbol.asyncIterator in content)
    return { content: streamOf(content), repeatable: false };
  return { content: content as Sendable, repeatable: true };
}

function streamOf(chunks: AsyncIterable<Uint8Array | string>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next().catch(unreadable);
      if (done) controller.close();
      else controller.enqueue(typeof value === 'string' ? new TextEncoder().encode(value) : value);
    },
    async cancel(reason) {
      await iterator.return?.(reason);
    },
  });
}

const unreadable = (error: unknown): never => {
  const message = `What was to be uploaded could not be read: ${error instanceof Error ? error.message : error}.`;
  throw invalidArgument(message, error);
};
