/** What the pages of a browser asked of the network: a log of bounded size, and HARs made of it. */
export { isTextType } from './bodies.ts';
export type { Found } from './finding.ts';
export { HarFiles } from './har-files.ts';
export { detailed, NetworkLog, shown } from './network-log.ts';
export { networkBuffers } from './sources.ts';
