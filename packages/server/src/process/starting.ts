/**
 * What a process weighs until it is up. One that no caller waits for gives way to everything that runs. One that is waited for
 * weighs what the others there allow (pauses.ts), from that moment on.
 */
import type { Pauses } from './pauses.ts';
import { giveWay, stopGivingWay } from './priority.ts';

export interface Start extends Disposable {
  /** A caller waits for it now. */
  hurry(): void;
}

export interface StartOptions {
  /** Low priority, so that running pages go first: until it is up, or for its whole life. */
  inBackground?: boolean | 'always' | undefined;
  /** Where it is known what else runs. */
  pauses?: Pick<Pauses, 'starting'> | undefined;
}

/** To be disposed of when the process is up, or has failed. */
export function beginStart(pid: number, { inBackground = false, pauses }: StartOptions): Start {
  giveWay(pid, inBackground === 'always' ? 'always' : 'starting');
  const awaited = new DisposableStack();
  const hurry = (): void => {
    if (awaited.disposed) return;
    if (pauses) awaited.use(pauses.starting(pid));
    else void stopGivingWay(pid);
  };
  if (!inBackground) hurry();
  return {
    hurry,
    [Symbol.dispose]() {
      awaited.dispose();
      if (inBackground !== 'always') void stopGivingWay(pid);
    },
  };
}
