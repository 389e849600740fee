/**
 * Server-Sent Events: one field per line, and an empty line after each event. Every character is read once, however the
 * stream is cut into chunks; an event that is cut off by the end is dropped, because a client that reconnects gets it
 * whole.
 */
/** Longer than the heartbeat of the service: a connection that is silent for so long is dead. */
const longestSilenceMs = 60_000;

export interface Frame {
  event: string;
  data: string;
}

export async function* readFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void, undefined> {
  let event = '';
  let data: string[] = [];
  for await (const line of readLines(chunks)) {
    if (line === '') {
      if (data.length > 0) yield { event, data: data.join('\n') };
      event = '';
      data = [];
      continue;
    }
    const [, name, value = ''] = /^(event|data)(?:: ?([\s\S]*))?$/.exec(line) ?? [];
    if (name === 'event') event = value;
    if (name === 'data') data.push(value);
  }
}

/** Lines end with LF, CR or both, even when the two are in different chunks. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let afterReturn = false;
  for await (const chunk of chunks) {
    let text = decoder.decode(chunk, { stream: true });
    if (text === '') continue;
    if (afterReturn && text.startsWith('\n')) text = text.slice(1);
    afterReturn = text.endsWith('\r');
    const lines = text.split(/\r\n|\n|\r/);
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      yield parts.join('') + line;
      parts = [];
    }
    parts.push(rest);
  }
}

/** The chunks of a body. Fails after too long a silence, and cancels the body when the reader stops. */
export async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  silenceMs = longestSilenceMs,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await within(silenceMs, reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came for ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
