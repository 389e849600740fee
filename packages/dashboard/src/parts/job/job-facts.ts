/** What a job is called, and whether there is still something to come of it. */
import type { api } from '@browserd/sdk';

export const isActive = ({ status }: Pick<api.Job, 'status'>): boolean =>
  status === 'queued' || status === 'running';

/** A batch has neither a name nor an address unless its caller gave it one. */
export const titleOf = ({ name, url, progress }: Pick<api.Job, 'name' | 'url' | 'progress'>): string =>
  name ?? url ?? (progress.total === 1 ? 'Batch of 1 page' : `Batch of ${progress.total} pages`);
