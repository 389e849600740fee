/** The recordings of a browser, newest first; polled while a video is being encoded. */
import type { Browser } from '@browserd/sdk';
import { usePart } from '../../../data/data.ts';

const most = 100;
const pollMs = 1500;

export const useRecordings = (browser: Browser) =>
  usePart(browser, 'recordings', (signal) => browser.recordings.list({ limit: most, signal }).all(most), {
    refetchInterval: (all) => (all?.some(({ state }) => state === 'finalizing') ? pollMs : false),
  });
