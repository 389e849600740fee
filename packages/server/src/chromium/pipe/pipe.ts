/** CDP over Chromium's pipe: the service's own connection, and the clients that share it behind the filter. */
export { Cdp, CdpError } from './cdp.ts';
export { type Credentials, challengeIn, heldRequestIn, Tries } from './challenges.ts';
export { type CdpClient, type ClientOptions, openClient } from './mux.ts';
export { trueError } from './network-view.ts';
export { readEntries } from './storage-entries.ts';
