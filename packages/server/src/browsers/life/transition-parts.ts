/** What the moves of a browser's life have in common: what they work with, and the answer to a move that is not possible. */
import { ApiError } from '../../errors.ts';
import type { BrowserRecord } from '../../store/records.ts';
import type { HarFiles } from '../network/network.ts';
import type { AlwaysParts } from '../profile/profile.ts';
import { type BrowserStatus, type Capacity, type Here, isElsewhere, nextStepOf } from '../record/record.ts';
import type { Recordings } from '../recordings/recordings.ts';
import type { Running, RunningParts } from '../running/running.ts';
import type { StartParts } from './start.ts';

export interface TransitionParts
  extends Here,
    StartParts,
    AlwaysParts,
    Omit<RunningParts, 'onCrash' | 'onIdle' | 'onCheckpoint'> {
  capacity: Capacity;
  recordings: Recordings;
  hars: HarFiles;
  running: Map<string, Running>;
  /** Before a page that may have been on another node comes back here. */
  beforeReturn?(): Promise<void>;
  onCrash(running: Running): void;
  onIdle(running: Running): void;
  /** A browser is ready: how it came to be, on a Chromium that was up before it was asked for or not, and after how long. */
  onStarted?(start: { how: 'create' | 'resume' | 'recovery'; warm: boolean; ms: number }): void;
}

/**
 * A call that came here for a browser that another node has taken while it came, or before. Nothing was done here: the call is
 * for that node, and is passed on to it where that can be (http/hop).
 */
export class ElsewhereError extends ApiError {
  constructor({ id }: Pick<BrowserRecord, 'id'>) {
    super('BROWSER_NOT_READY', `Browser ${id} is moving to another node. Ask again.`, { nextStep: 'wait' });
  }
}

/** Nothing can be asked of it any more. */
export const isOver = ({ status }: BrowserRecord): boolean => over.includes(status);
export const over: readonly string[] = ['closing', 'closed', 'failed'];

export function notReady(record: BrowserRecord): ApiError {
  const status = record.status as BrowserStatus;
  const nextStep = nextStepOf(status);
  const remedy = {
    wait: 'Wait until it is ready.',
    resume_browser: `Resume it first: POST /v1/browsers/${record.id}/resume.`,
    create_browser: 'Create a new one.',
  }[nextStep];
  return new ApiError('BROWSER_NOT_READY', `Browser ${record.id} is ${status}. ${remedy}`, {
    nextStep,
    details: { status, statusReason: record.statusReason ?? undefined },
  });
}

/** Why a record could not be changed as its move wanted: another node was first, or it is in another status by now. */
export const movedOn = (now: BrowserRecord, here: Here): ApiError =>
  isElsewhere(now, here) ? new ElsewhereError(now) : notReady(now);
