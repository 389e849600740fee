import type { Browser } from '@browserd/sdk';
import { usePart } from '../browser-queries.ts';

const most = 50;

/** Newest first; those that are open wait for an answer. */
export const useDialogs = (browser: Browser) =>
  usePart(browser, 'dialogs', (signal) => browser.dialogs.list({ limit: most }, { signal }).all(most));
