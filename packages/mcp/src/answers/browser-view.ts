/** A browser's record for a model: only what it needs to choose and name a browser. */
import type { api } from '@browserd/sdk';
import { z } from 'zod';
import { oneLine, word } from './page-content.ts';

export const browserSchema = z.object({
  browserId: word,
  status: word,
  name: z.string().optional().describe('As its creator named it.'),
  startPage: word.optional().describe('Of startUrl: pending, loaded or failed.'),
  tabs: z.int(),
  createdAt: word,
  expiresAt: word,
});

export const browserData = (record: api.Browser): z.infer<typeof browserSchema> => ({
  browserId: record.id,
  status: record.status,
  ...(record.name !== undefined && { name: oneLine(record.name) }),
  ...(record.startPage && { startPage: record.startPage.state }),
  tabs: record.tabs,
  createdAt: record.createdAt,
  expiresAt: record.expiresAt,
});

export const browserLine = ({ id, status, name, tabs, expiresAt }: api.Browser): string =>
  `${id}: ${status}${name ? `, named ${JSON.stringify(oneLine(name))}` : ''}, ${tabs} tab(s), until ${expiresAt}`;
