/** Actions on all browsers that are selected. */
export { BulkBar } from './bulk-bar.tsx';
