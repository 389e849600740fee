import type { Migration } from 'kysely/migration';
import type { Kind } from '../database.ts';
import { records } from './001-records.ts';
import { artifacts } from './002-artifacts.ts';
import { webhooks } from './003-webhooks.ts';

/** All of them, in the order of their names. A migration that was released is never changed; a new one is added. */
export const migrations = (kind: Kind): Record<string, Migration> => ({
  '001-records': records(kind),
  '002-artifacts': artifacts(kind),
  '003-webhooks': webhooks(kind),
});
