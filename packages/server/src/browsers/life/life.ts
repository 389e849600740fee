/** How a browser comes to life, stops, comes back and ends: the moves between its statuses and the work of each. */
export { Keeper, type KeeperParts } from './keeper.ts';
export { bringBack, closedView, halt, isOver, notReady, over } from './transitions.ts';
