/** Tabs as things of their own: listed, opened, sent somewhere, sized, closed. Beside the scripts, not in their turn. */
export { TabCalls } from './tab-calls.ts';
