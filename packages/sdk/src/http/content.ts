/** Bytes that the service sends: fetched once, read in the form that the caller likes, with the SDK's own errors. */
/**
 * The bytes of a file, a download, a recording, a picture or a PDF. Read them once, in the form you like; to drop them
 * unread, call `stream.cancel()`.
 */
export class Content {
  readonly #response: Response;
  readonly #errorFor: (failure: unknown) => unknown;
  #stream: ReadableStream<Uint8Array> | undefined;

  /** `errorFor` turns a connection that breaks midway into the error to throw. */
  constructor(response: Response, errorFor: (failure: unknown) => unknown) {
    this.#response = response;
    this.#errorFor = errorFor;
  }

  /** The name that the service gives it. */
  get name(): string | undefined {
    return fileName(this.#response.headers.get('content-disposition') ?? '');
  }

  get mimeType(): string {
    return this.#response.headers.get('content-type') ?? 'application/octet-stream';
  }

  /** In bytes, where the service knows it. */
  get size(): number | undefined {
    const length = this.#response.headers.get('content-length');
    return length === null ? undefined : Number(length);
  }

  /** The SHA-256 of the whole, in quotes. */
  get etag(): string | undefined {
    return this.#response.headers.get('etag') ?? undefined;
  }

  get stream(): ReadableStream<Uint8Array> {
    this.#stream ??= streamOf(this.#response.body, this.#errorFor);
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
    return reading.catch((error: unknown) => throwing(this.#errorFor(error)));
  }
}

/** The same bytes, with the SDK's error for a connection that breaks. Nothing is read before the caller reads. */
function streamOf(
  body: ReadableStream<Uint8Array> | null,
  errorFor: (failure: unknown) => unknown,
): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= body?.getReader();
        const { done = true, value } =
          (await reader?.read().catch((error: unknown) => throwing(errorFor(error)))) ?? {};
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

/** RFC 6266: the encoded name if it can be decoded, else the plain name. */
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
