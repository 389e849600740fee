/** What a node had under way when it was lost is ended by another: callers are told, and nothing stays unfinished for ever. */
import type { Artifacts } from '../artifacts/artifacts.ts';
import type { Downloads } from './downloads/downloads.ts';
import type { Recordings } from './recordings/recordings.ts';

/** A node that comes back within this time makes its videos itself: it has their pictures on its disk. */
const mayReturnMs = 600_000;

export async function endLostWork(parts: {
  artifacts: Artifacts;
  downloads: Downloads;
  recordings: Recordings;
}): Promise<number> {
  const { artifacts, downloads, recordings } = parts;
  const lostDownloads = await artifacts.inheritLost('download', 0);
  await downloads.giveUp(lostDownloads, 'machine_lost');
  const lostRecordings = await artifacts.inheritLost('recording', mayReturnMs);
  await recordings.giveUp(lostRecordings);
  return lostDownloads.length + lostRecordings.length;
}
