import type { Browser } from '@browserd/sdk';
import { usePart } from '../browser-queries.ts';

export const useHandoff = (browser: Browser) =>
  usePart(browser, 'handoff', (signal) => browser.handoff.get({ signal }));
