/**
 * What callers ask of recordings. Whether a browser is recorded is a setting of it, which outlives its Chromium: started
 * here it goes on after a resume or a recovery, in a new recording; stopped here it does not come back by itself.
 */
import type { ArtifactRecord, Artifacts, Owner } from '../../artifacts/artifacts.ts';
import type { Browser } from '../record/schema.ts';
import type { Running } from '../running/running.ts';
import type { Recordings } from './node-recordings.ts';
import type { Recording } from './schema.ts';
import { recordingView, refuseWithoutVideo } from './view.ts';

export interface RecordingOrders {
  /** `begun` is false when one was running already. */
  start(projectId: string, browserId: string): Promise<{ recording: Recording; begun: boolean }>;
  /** Undefined when there is none. One that is over already is answered as it is. */
  stop(owner: Owner, id: string): Promise<Recording | undefined>;
  /** One that runs is stopped first. False when there is none. */
  remove(owner: Owner, id: string): Promise<boolean>;
  view(record: ArtifactRecord): Recording;
  /** Throws for one that has no video yet, or never will. */
  refuseWithoutVideo(record: ArtifactRecord): void;
}

/** The part of the browsers that is needed for it. */
interface Recordable {
  use(projectId: string, id: string): Promise<Running>;
  patch(projectId: string, id: string, patch: { recording: boolean }): Promise<Browser>;
}

export function recordingOrders(parts: {
  browsers: Recordable;
  recordings: Recordings;
  artifacts: Artifacts;
}): RecordingOrders {
  const { browsers, recordings, artifacts } = parts;
  const setRecording = (owner: Owner, recording: boolean) =>
    browsers.patch(owner.projectId, owner.browserId, { recording });
  /** The wish goes first, so that a recovery at the wrong moment does not undo what was asked. */
  const endIfRunning = async (owner: Owner, id: string): Promise<ArtifactRecord | undefined> => {
    if (recordings.currentOf(owner.browserId)?.id !== id) return undefined;
    await setRecording(owner, false);
    return recordings.finish(owner.browserId);
  };
  return {
    async start(projectId, browserId) {
      await browsers.use(projectId, browserId);
      await recordings.check();
      const { viewport } = await setRecording({ projectId, browserId }, true);
      const running = await browsers.use(projectId, browserId);
      const { record, begun } = await recordings.begin(running, viewport);
      return { recording: recordingView(record), begun };
    },
    async stop(owner, id) {
      const record = (await endIfRunning(owner, id)) ?? (await artifacts.get(owner, id));
      return record && recordingView(record);
    },
    async remove(owner, id) {
      await endIfRunning(owner, id);
      return recordings.remove(owner, id);
    },
    view: recordingView,
    refuseWithoutVideo,
  };
}
