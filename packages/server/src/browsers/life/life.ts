/** How a browser comes to life, stops, comes back and ends: the moves between its statuses and the work of each. */
export { closedView, end, halt } from './endings.ts';
export { Keeper, type KeeperParts, shuttingDown } from './keeper.ts';
export { ElsewhereError, isOver, movedOn, notReady, over } from './transition-parts.ts';
export { bringBack } from './transitions.ts';
export { WaitingLine } from './waiting-line.ts';
