/** What the sockets of CDP and their discovery have in common in the document: who may ask, and what may be answered. */
import { z } from 'zod';
import type { ErrorCode } from '../../errors.ts';
import { browserExample } from './browser-examples.ts';

export const targetExample = 'B00BFB574DD3698D85C5B7C996E1D6C4';

export const cdpParams = z.object({ id: z.string().meta({ examples: [browserExample.id] }) });
export const targetParams = cdpParams.extend({
  targetId: z.string().meta({
    description: 'As `…/cdp/json/list` and `Target.getTargets` name it.',
    examples: [targetExample],
  }),
});

export const token = z
  .string()
  .optional()
  .meta({ description: 'A signed token, instead of a key. It decides alone where both are sent.' });
export const cdpQuery = z.strictObject({ token });

const security: Record<string, string[]>[] = [{ bearer: [] }, { token: [] }];
export const cdpAccess = { tags: ['CDP'], security };

export const cdpCodes: ErrorCode[] = [
  'BROWSER_NOT_FOUND',
  'BROWSER_NOT_READY',
  'BROWSER_CRASHED',
  'BROWSER_UNRESPONSIVE',
  'CDP_CLOSED',
  'ISOLATION_UNAVAILABLE',
];
