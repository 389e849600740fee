/** `files`, `downloads`, `recordings`, `trace` and `project-files`. */
export { addDownloads } from './downloads.ts';
export { addFiles } from './files.ts';
export { addProjectFiles } from './project-files.ts';
export { addRecordings } from './recordings.ts';
export { addTrace } from './trace.ts';
