/** A client of live event streams, as a browser's EventSource reads them. */
export interface Frame {
  id?: string;
  event?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  data?: any;
  comment?: string;
}

export interface EventClient extends AsyncDisposable {
  status: number;
  headers: Headers;
  /** All so far, comments too. */
  frames: Frame[];
  /** The events so far. */
  events(): Frame[];
  /** Resolves with the first frame that fits, also one that came before. */
  until(fits: (frame: Frame) => boolean): Promise<Frame>;
  /** Resolves when the other side has ended the stream. */
  ended: Promise<void>;
}

function parse(block: string): Frame {
  const frame: Frame = {};
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([a-z]*): ?(.*)$/.exec(line) ?? [];
    if (name === '') frame.comment = value;
    else if (name === 'data') frame.data = JSON.parse(value);
    else if (name === 'id' || name === 'event') frame[name] = value;
  }
  return frame;
}

export async function followEvents(
  api: { url: string; key: string },
  path: string,
  headers: Record<string, string> = {},
): Promise<EventClient> {
  const hangUp = new AbortController();
  const response = await fetch(api.url + path, {
    headers: { authorization: `Bearer ${api.key}`, accept: 'text/event-stream', ...headers },
    signal: hangUp.signal,
  });
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        frames.push(parse(text.slice(0, end)));
        text = text.slice(end + 2);
      }
      for (const look of waiting) look();
    }
  };
  const ended = read().catch((error: Error) => {
    if (!hangUp.signal.aborted) throw error;
  });
  ended.catch(() => undefined);
  return {
    status: response.status,
    headers: response.headers,
    frames,
    events: () => frames.filter(({ id }) => id !== undefined),
    until: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = frames.find(fits);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    ended,
    async [Symbol.asyncDispose]() {
      hangUp.abort();
      await ended.catch(() => undefined);
    },
  };
}
