import type { Sendable } from './api.ts';

/** Bytes on their way: of a file, a download, a recording, a picture, a PDF. Read them once, in the form you like. */
export class Content {
  readonly #response: Response;

  constructor(response: Response) {
    this.#response = response;
  }

  /** What the service calls it. */
  get name(): string | undefined {
    const header = this.#response.headers.get('content-disposition') ?? '';
    const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
    return encoded ? decodeURIComponent(encoded) : /filename="([^"]*)"/i.exec(header)?.[1];
  }

  get mimeType(): string {
    return this.#response.headers.get('content-type') ?? 'application/octet-stream';
  }

  /** Bytes to come, where the service knows. */
  get size(): number | undefined {
    const length = this.#response.headers.get('content-length');
    return length === null ? undefined : Number(length);
  }

  /** The SHA-256 of the whole, in quotes. */
  get etag(): string | undefined {
    return this.#response.headers.get('etag') ?? undefined;
  }

  get stream(): ReadableStream<Uint8Array> {
    return this.#response.body ?? new ReadableStream({ start: (controller) => controller.close() });
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.#response.arrayBuffer());
  }

  text(): Promise<string> {
    return this.#response.text();
  }

  blob(): Promise<Blob> {
    return this.#response.blob();
  }
}

/** What can be uploaded. Streams are sent as they come, and only once. */
export type Uploadable =
  | string
  | Uint8Array
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

export function uploadOf(content: Uploadable): { content: Sendable; repeatable: boolean } {
  if (content instanceof ReadableStream) return { content, repeatable: false };
  if (typeof content === 'object' && Symbol.asyncIterator in content)
    return { content: streamOf(content), repeatable: false };
  return { content: content as Sendable, repeatable: true };
}

function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason) {
      await iterator.return?.(reason);
    },
  });
}
