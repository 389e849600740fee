/** Pictures in, a playable file out: kept on disk as they come, timed, and put into a container at the end. */
export { cutOf } from './cut.ts';
export { createSpool, readSpool, type SpoolEntry } from './spool.ts';
export { lengthOf, type Shot, timeline } from './timeline.ts';
export { type Block, webm } from './webm.ts';
