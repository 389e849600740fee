/** A new browser for a command: created or not, closed afterwards, and never left behind by Ctrl-C. */
import type { api, Browser } from '@browserd/sdk';
import { span } from '../output/output.ts';
import type { Call } from './action.ts';

/** Time limit of the clean-up after Ctrl-C; the service needs far less, or it is down. */
const cleanUpMs = 20_000;
const pollMs = 1000;

/** When the create is aborted, the SDK undoes it, and the process lives until that is done. */
export async function newBrowser(
  call: Call,
  settings: api.CreateBrowser,
  waitSeconds?: number,
): Promise<Browser> {
  const { client, signal } = call;
  using _queue = waitSeconds ? showQueue(call) : undefined;
  const browser = await client.browsers.create(settings, { signal, waitSeconds });
  const { startPage, startUrl } = browser.record ?? {};
  if (startPage?.error)
    call.out.warn(`The start page was not opened (${startPage.error.code}): ${startPage.error.message}`);
  if (startPage?.state === 'pending') call.out.note(`${startUrl} has not answered yet.`);
  return browser;
}

/** While a create waits for room: its place in the queue, from the record of the newest waiting browser. */
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
  const timer = setInterval(() => void look().catch(() => {}), pollMs);
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      stop.abort();
      progress[Symbol.dispose]();
    },
  };
}

/** Closes it even after Ctrl-C, with a time limit of its own. */
export const closeAfterwards = (browser: Browser): Promise<unknown> =>
  browser.close({ timeoutMs: cleanUpMs });
