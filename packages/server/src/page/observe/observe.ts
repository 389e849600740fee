/** What a page shows and what of it can be operated, with references that hold as long as the elements live. */
export type { SeenNode, SeenPage } from '../inside/inside.ts';
export { Observations } from './observations.ts';
export { type ReadTree, readTree } from './read-tree.ts';
export { refAtPlace, resolveRef } from './refs.ts';
export { wholePage } from './schema.ts';
