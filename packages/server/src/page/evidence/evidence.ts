/** What is kept of a call as files: its trace, and the bundle of a run. */
export { type BundleEntry, Evidence, type Kept, type KeptFile } from './kept-evidence.ts';
export type { TraceSpool } from './trace-spool.ts';
