/** The service knows a tab by its CDP target; Playwright's pages do not show theirs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { TabNotFoundError } from './failure.ts';
import { clientOf, connectionOf, prototypeWith, serverBrowserOf } from './playwright-inside.ts';

const lookMs = 10;
const longestMs = 3000;

function findPage(browser: Browser, targetId: string): Page | undefined {
  const guid = serverBrowserOf(browser)._crPages.get(targetId)?._page.guid;
  const object = guid === undefined ? undefined : connectionOf(browser)._objects.get(guid);
  return object?._type === 'Page' ? (object as unknown as Page) : undefined;
}

/** The CDP target of a page. */
export function targetOf(browser: Browser, page: Page): string {
  const { _guid } = page as unknown as { _guid: string };
  for (const [targetId, { _page }] of serverBrowserOf(browser)._crPages)
    if (_page.guid === _guid) return targetId;
  throw new TabNotFoundError('The tab of the field was closed, or it belongs to another context.');
}

/** A tab that has just been opened may take a moment to be known here. */
export async function pageOf(browser: Browser, targetId: string): Promise<Page> {
  // However short the call: on a busy machine a tab may be known here late, and the call's own deadline gives the
  // better error.
  for (const started = performance.now(); performance.now() - started < longestMs; await sleep(lookMs)) {
    const page = findPage(browser, targetId);
    if (page) return page;
  }
  throw new TabNotFoundError('The tab does not answer: it was closed, or it belongs to another context.');
}

/** What one of Playwright's objects is, in a few words; undefined for anything else. */
export function describeHandle(value: object): string | undefined {
  const { _type, _apiName, url, _connection } = value as unknown as Record<string, unknown>;
  if (_apiName === 'Locator') return String(value);
  if (typeof _type !== 'string' || _connection === undefined) {
    return _apiName === 'APIResponse' ? `APIResponse ${(value as { url(): string }).url()}` : undefined;
  }
  if (_type === 'JSHandle' || _type === 'ElementHandle') return String(value);
  return typeof url === 'function' ? `${_type} ${String(url.call(value)).slice(0, 500)}` : _type;
}

/** Playwright's objects hold each other; printed in full, one fills a screen. */
export function printHandlesShort(browser: Browser): void {
  const root = prototypeWith(clientOf(browser), '_addListener');
  Object.defineProperty(root, inspect.custom, {
    value(this: object) {
      return describeHandle(this) ?? this.constructor.name;
    },
  });
}
