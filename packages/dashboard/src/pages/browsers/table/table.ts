/** The browsers as rows: for many at a time, to be sorted and selected. */
export { BrowserTable } from './browser-table.tsx';
export { type Sort, sorted, sortOf, sortText } from './sort.ts';
