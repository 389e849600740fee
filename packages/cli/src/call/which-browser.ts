/**
 * A browser by its id, by the beginning or the end of its id, or by its name. Text that fits more than one is refused: to
 * act on the wrong browser is worse than to ask again.
 */
import type { api, Browser } from '@browserd/sdk';
import { Failure } from '../failure.ts';
import { oneLine } from '../output/output.ts';
import type { Call } from './action.ts';

const wholeId = /^browser_[0-9a-z]{20,}$/;
const prefix = /^browser_/;
/** An id begins with the time of creation, so fewer characters would fit all of today's browsers. */
const shortest = 3;

/** A closed browser is found by its whole id only; there may be a hundred thousand of them. */
export const living: api.BrowserStatus[] = [
  'creating',
  'ready',
  'stopping',
  'stopped',
  'resuming',
  'recovering',
  'failed',
  'closing',
];

export async function whichBrowser({ client, signal }: Call, text: string): Promise<Browser> {
  if (wholeId.test(text)) return client.browser(text);
  const found: (Browser & { record: api.Browser })[] = [];
  for await (const browser of client.browsers.list({ status: living, limit: 100 }, { signal }))
    if (fits(browser.record, text)) found.push(browser);
  const [only] = found;
  if (only && found.length === 1) return only;
  const shown = oneLine(text);
  if (!only)
    throw new Failure(
      `No browser is called "${shown}", and the id of none begins or ends so. See: browserd browsers list\n` +
        'A closed one is named by its whole id.',
    );
  const list = found.slice(0, 20).map(({ id, record }) => `  ${id}  ${record.status}  ${record.name ?? ''}`);
  throw new Failure(`"${shown}" fits ${found.length} browsers. Say more of the id:\n${list.join('\n')}`);
}

function fits({ id, name }: api.Browser, text: string): boolean {
  if (name === text) return true;
  const bare = id.replace(prefix, '');
  const part = text.replace(prefix, '');
  return part.length >= shortest && (bare.startsWith(part) || (bare.endsWith(part) && part === text));
}
