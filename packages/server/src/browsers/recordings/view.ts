/** What only recordings have in their record. */
import type { ArtifactRecord } from '../../artifacts/artifacts.ts';
import { ApiError } from '../../errors.ts';
import { iso, isoOrUndefined } from '../../kit/clock.ts';
import type { Recording } from './schema.ts';

export interface RecordingDetails {
  epoch: number;
  startedAt: number;
  width: number;
  height: number;
  endedAt?: number;
  durationMs?: number;
  frames?: number;
  /** Why it failed, or why it ended before a caller ended it. */
  reason?: string;
}

export const detailsIn = (record: ArtifactRecord): RecordingDetails =>
  record.details as unknown as RecordingDetails;

export function recordingView(record: ArtifactRecord): Recording {
  const { startedAt, endedAt, ...details } = detailsIn(record);
  return {
    id: record.id,
    state: record.state as Recording['state'],
    ...details,
    startedAt: iso(startedAt),
    endedAt: isoOrUndefined(endedAt ?? null),
    size: record.size,
    mimeType: record.mimeType,
    ...(record.sha256 && { sha256: record.sha256 }),
  };
}

const retryAfter = '2';

/** Those that have no bytes yet, or never will. */
export function refuseWithoutVideo(record: ArtifactRecord): void {
  const { id, state } = record;
  if (state === 'failed')
    throw new ApiError('RECORDING_FAILED', `Recording ${id} has no video: ${detailsIn(record).reason}.`, {
      details: { reason: detailsIn(record).reason },
    });
  if (state === 'ready') return;
  const remedy =
    state === 'recording'
      ? 'It is still recorded. Stop it (POST …/stop), or stop or delete the browser.'
      : 'Its video is being made. Ask again in a moment.';
  throw new ApiError('RECORDING_NOT_FINISHED', `Recording ${id} has no video yet. ${remedy}`, {
    details: { state },
    headers: { 'retry-after': retryAfter },
  });
}
