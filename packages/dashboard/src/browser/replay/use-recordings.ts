import type { Browser } from '@browserd/sdk';
import { usePart } from '../browser-queries.ts';

const most = 100;
const lookAgainMs = 1500;

/** Newest first. One that is being made is looked at until it is made. */
export const useRecordings = (browser: Browser) =>
  usePart(browser, 'recordings', (signal) => browser.recordings.list({ limit: most, signal }).all(most), {
    refetchInterval: (all) => (all?.some(({ state }) => state === 'finalizing') ? lookAgainMs : false),
  });
