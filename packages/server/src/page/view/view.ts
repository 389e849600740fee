/** The viewer: a person who watches a browser, takes over and hands back. */
export type { Handoff } from './handoff.ts';
export type { Frame } from './screencast.ts';
export type { View } from './viewer.ts';
export { Views } from './views.ts';
