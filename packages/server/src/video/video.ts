/** Pictures in, a playable file out: kept on disk as they come, timed, and put into a container at the end. */
export { createSpool, readSpool } from './spool.ts';
export { lengthOf, type Shot, timeline } from './timeline.ts';
export { type Block, webm } from './webm.ts';
