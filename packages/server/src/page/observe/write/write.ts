/** Writing down what was seen of a page: as few characters as an agent can do with, and none of them lost unsaid. */
export { choose } from './choose.ts';
export { condense } from './condense.ts';
export { diff } from './diff.ts';
export { find } from './find.ts';
export { outline } from './outline.ts';
export { indexOf, partOf } from './parts.ts';
export { countTokens } from './tokens.ts';
