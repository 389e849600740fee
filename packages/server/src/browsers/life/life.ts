/** How a browser comes to life, stops, comes back and ends: the moves between its statuses and the work of each. */
export { closedView, halt } from './endings.ts';
export { Keeper, type KeeperParts } from './keeper.ts';
export { elsewhere, isOver, notReady, over } from './transition-parts.ts';
export { bringBack } from './transitions.ts';
