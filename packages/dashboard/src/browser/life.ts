import type { api } from '@browserd/sdk';

const over: readonly api.BrowserStatus[] = ['closing', 'closed', 'failed'];

/** It will not come back: what it left can be looked at, and nothing can be asked of it. */
export const isOver = ({ status }: api.Browser): boolean => over.includes(status);
