/** Who controls a browser: scripts or a person. */
import type { Browser } from '@browserd/sdk';
import { usePart } from '../data/data.ts';

export const useHandoff = (browser: Browser) =>
  usePart(browser, 'handoff', (signal) => browser.handoff.get({ signal }));
