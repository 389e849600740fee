/** The door to child processes, whatever runs in them: their walls, their priority, their warm pool and their end. */

export { memoryFolder, systemView, wallsOf } from './box-walls.ts';
export { copyTree, removeIn, removeTree } from './boxed-tree.ts';
export { type Architecture, assembleFilter, filterStep, type Instruction } from './call-filter.ts';
export { emptyFolder } from './empty-folder.ts';
export { whileFrozen } from './frozen-tree.ts';
export { HeldFolder } from './held-folder.ts';
export {
  type Isolation,
  IsolationError,
  probeIsolation,
  refuseOpenBind,
  refuseUnboxed,
} from './isolation.ts';
export { type MemoryGroup, type MemoryGroups, openMemoryGroups } from './memory-groups.ts';
export { type MemoryWatch, type OverLimit, openMemoryWatch } from './memory-watch.ts';
export { openPauses, type Pauses } from './pauses.ts';
export { belowService, goFirst } from './priority.ts';
export { endOf, type ProcessEnd } from './process-end.ts';
export { childrenOf, endAll, type ProcessRef, processTree } from './process-tree.ts';
export { beginStart, type StartOptions } from './starting.ts';
export { createWarmPool, type WarmPool } from './warm-pool.ts';
