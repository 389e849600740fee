import type { Sendable } from './api.ts';
import { invalidArgument } from './errors.ts';

/**
 * Bytes on their way: of a file, a download, a recording, a picture, a PDF. Read them once, in the form you like; what
 * is not wanted after all is let go by `stream.cancel()`.
 */
export class Content {
  readonly #response: Response;
  readonly #told: (error: unknown) => unknown;
  #stream: ReadableStream<Uint8Array> | undefined;

  /** `told`: how a line that breaks midway is told. */
  constructor(response: Response, told: (error: unknown) => unknown) {
    this.#response = response;
    this.#told = told;
  }

  /** What the service calls it. */
  get name(): string | undefined {
    return fileName(this.#response.headers.get('content-disposition') ?? '');
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
    this.#stream ??= toldStream(this.#response.body, this.#told);
    return this.#stream;
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.#whole(this.#response.arrayBuffer()));
  }

  text(): Promise<string> {
    return this.#whole(this.#response.text());
  }

  blob(): Promise<Blob> {
    return this.#whole(this.#response.blob());
  }

  #whole<Form>(reading: Promise<Form>): Promise<Form> {
    return reading.catch((error: unknown) => throwing(this.#told(error)));
  }
}

/** The same bytes; a line that breaks is told as everywhere here. Nothing is taken before somebody reads. */
function toldStream(
  body: ReadableStream<Uint8Array> | null,
  told: (error: unknown) => unknown,
): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= body?.getReader();
        const { done = true, value } =
          (await reader?.read().catch((error: unknown) => throwing(told(error)))) ?? {};
        if (done || !value) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => (reader ?? body)?.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

const throwing = (error: unknown): never => {
  throw error;
};

/** RFC 6266: the encoded name if it can be read, else the plain one. */
export function fileName(disposition: string): string | undefined {
  const encoded = /filename\*=UTF-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  const plain = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(disposition);
  try {
    if (encoded) return decodeURIComponent(encoded);
  } catch {
    // broken escapes
  }
  return plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2];
}

/** What can be uploaded. Streams are sent as they come, and only once. */
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
