import type { api, Browser } from '@browserd/sdk';
import type { Call } from './call.ts';
import { span } from './units.ts';

/** For tidying up after Ctrl-C: the service closes a browser in far less, or is not there any more. */
const tidyMs = 20_000;
const lookAgainMs = 1000;

/** Makes a browser, or none: one that is broken off is undone by the SDK, and the process lives until it has. */
export async function newBrowser(
  call: Call,
  settings: api.CreateBrowser,
  waitSeconds?: number,
): Promise<Browser> {
  const { client, signal } = call;
  using _queue = waitSeconds ? showQueue(call) : undefined;
  return await client.browsers.create(settings, { signal, waitSeconds });
}

/** While a create waits for room: its place, from the record of the newest browser that waits. */
function showQueue({ client, out }: Call): Disposable {
  const progress = out.progress();
  if (!progress.shown) return progress;
  const began = Date.now();
  const stop = new AbortController();
  const look = async (): Promise<void> => {
    const { items } = await client.browsers
      .list({ status: ['creating'], limit: 1 }, { signal: stop.signal })
      .page();
    const queue = items[0]?.record.queue;
    const place = queue ? `, place ${queue.position} in the queue` : '';
    progress.say(`waiting for a browser for ${span(Date.now() - began)}${place}`);
  };
  const timer = setInterval(() => void look().catch(() => {}), lookAgainMs);
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      stop.abort();
      progress[Symbol.dispose]();
    },
  };
}

/** Closed also when the caller was broken off, with time of its own. */
export const closeAfterwards = (browser: Browser): Promise<unknown> => browser.close({ timeoutMs: tidyMs });
