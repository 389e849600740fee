/** The viewer of a browser: in a frame of a page, or in a window of its own. */
export { takeOverAt, useTakeOverWish } from './take-over.ts';
export { useHandoff } from './use-handoff.ts';
export { Viewer } from './viewer.tsx';
export type { ViewMode } from './viewer-address.ts';
export { openViewerWindow } from './viewer-window.ts';
