/** Whether the life of a browser is over: it cannot be resumed, but its artifacts can still be read. */
import type { api } from '@browserd/sdk';

const over: readonly api.BrowserStatus[] = ['closing', 'closed', 'failed'];

export const isOver = ({ status }: api.Browser): boolean => over.includes(status);
