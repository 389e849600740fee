/**
 * What a check is: a small piece of a client's script. It runs against a bare Chromium and against the service, and what
 * it returns (or the error it ends with) is compared as JSON. So it returns nothing that two runs on one machine do not
 * share: no ids, no times, no ports but the site's.
 */
import type {
  Browser,
  BrowserContext,
  CDPSession,
  ConnectOverCDPOptions,
  Page,
  Response,
} from 'playwright-core';
import type { Browser as PuppeteerBrowser, Page as PuppeteerPage } from 'puppeteer-core';
import type { ConformanceSite } from './site.ts';

export interface World {
  site: ConformanceSite;
  browser: Browser;
  /** The browser's own, as a client of another's browser finds it. */
  context: BrowserContext;
  /** A new one, closed after the check. */
  page: Page;
  /** A folder of the client's, which Chromium may enter. */
  folder: string;
  /** A session of the page's. */
  session(): Promise<CDPSession>;
  /** One more connection of Playwright's, closed after the check. */
  connect(options?: ConnectOverCDPOptions): Promise<Browser>;
  /** The same browser in Puppeteer's hands, let go after the check. */
  puppeteer(): Promise<{ browser: PuppeteerBrowser; page: PuppeteerPage }>;
}

export type Check = (world: World) => Promise<unknown>;

/** By their names, which are sentences without an end. */
export type Checks = Record<string, Check>;

/** How something ends that is expected to fail: the first line of the error, without what varies. */
export async function failureOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'did not fail';
  } catch (error) {
    return firstLine(error);
  }
}

export const firstLine = (error: unknown): string => {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const [first = ''] = message.split('\n');
  const told = first.replace(/^(\w+\.)+\w+: /, '').replaceAll(/\d+ms/g, 'N ms');
  return name === 'Error' ? told : `${name}: ${told}`;
};

/** Resolves with the first event for which `fits` says yes. */
export const heard = <T>(
  listen: (listener: (event: T) => void) => unknown,
  fits: (event: T) => boolean = () => true,
): Promise<T> =>
  new Promise((resolve) => {
    listen((event) => {
      if (fits(event)) resolve(event);
    });
  });

/** The two sizes in the head of a PNG. */
export const pngSize = (picture: Buffer): [width: number, height: number] => [
  picture.readUInt32BE(16),
  picture.readUInt32BE(20),
];

/** The headers that the site has got, as `/echo` tells them. */
export async function echoed(response: Response | null): Promise<Record<string, string>> {
  const told = (await response?.json()) as { headers: Record<string, string> } | undefined;
  return told?.headers ?? {};
}
