/** The state of a browser's handoff: scripts or a person control it. */
import type { Browser } from '@browserd/sdk';
import { usePart } from '../data/data.ts';

export const useHandoff = (browser: Browser) =>
  usePart(browser, 'handoff', (signal) => browser.handoff.get({ signal }));
