/** A browser on any page: its status, and the actions that its status allows. */
export { BrowserActions } from './browser-actions.tsx';
export { isOver } from './life.ts';
export { StatusBadge } from './status-badge.tsx';
