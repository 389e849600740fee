/** `files`, `downloads`, `recordings` and `trace`. */
export { addDownloads } from './downloads.ts';
export { addFiles } from './files.ts';
export { addRecordings } from './recordings.ts';
export { addTrace } from './trace.ts';
