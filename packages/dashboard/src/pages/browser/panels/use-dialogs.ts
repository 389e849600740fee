/** The dialogs of a browser, newest first; open ones wait for an answer. */
import type { Browser } from '@browserd/sdk';
import { usePart } from '../../../data/data.ts';

const most = 50;

export const useDialogs = (browser: Browser) =>
  usePart(browser, 'dialogs', (signal) => browser.dialogs.list({ limit: most }, { signal }).all(most));
