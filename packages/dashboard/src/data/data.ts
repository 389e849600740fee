/** How pages read the service: lists, queries with their states, parts of a browser, and events that make them stale. */
export { keyOf, type Part, partsTouchedBy, refresh, useBrowser, usePart } from './browser-parts.ts';
export { ListedItems, LoadMore, useListed } from './listed.tsx';
export { Loaded } from './loaded.tsx';
export { usePageVisible } from './page-visible.ts';
export { useProjectEvents } from './project-events.ts';
export { queryKeys } from './query-keys.ts';
export { useWaiting } from './waiting.ts';
