/** Actions on all browsers that are selected. */
export type { Listed } from './act-on-all.ts';
export { BulkBar } from './bulk-bar.tsx';
