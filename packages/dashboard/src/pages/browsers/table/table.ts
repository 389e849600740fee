/** The browsers as rows: for many at a time, to be sorted and selected. */
export { BrowserTable } from './browser-table.tsx';
export { sortOf, sortText } from './sort.ts';
