/** Running a caller's code on a browser, watching what happens meanwhile, and naming the cause of a failure. */
export { watchCall } from './activity.ts';
export type { ScriptsParts } from './call.ts';
export { Scripts } from './scripts.ts';
