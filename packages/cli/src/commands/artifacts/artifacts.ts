/** `files`, `downloads` and `recordings`. */
export { addDownloads } from './downloads.ts';
export { addFiles } from './files.ts';
export { addRecordings } from './recordings.ts';
