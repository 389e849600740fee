/** What outlives calls and browsers, opened as one: bytes and their records, and the sweep of what is past its time. */
import { type Artifacts, openArtifacts } from './artifacts/artifacts.ts';
import { refOf } from './browsers/browsers.ts';
import { AnswerCache } from './cache/cache.ts';
import type { Config } from './config.ts';
import { Extensions } from './extensions/extensions.ts';
import { ProjectFiles } from './files/files.ts';
import { FontSets, Fonts } from './fonts/fonts.ts';
import { PastJobs } from './jobs/jobs.ts';
import type { Log } from './kit/log.ts';
import type { Turn } from './kit/turn.ts';
import type { metricsObservers } from './measures.ts';
import { emptyFolder, type Isolation } from './process/process.ts';
import { Profiles } from './profiles/profiles.ts';
import type { QuickParts } from './quick/quick.ts';
import type { Sealing } from './sealing/sealing.ts';
import type { Store } from './store/records.ts';
import { startSweeper } from './sweeper.ts';

export interface KeepingParts {
  config: Config;
  store: Store;
  /** The same, for records that have events. */
  ordered: Store;
  node: { id: string; bootId: string };
  turn: Turn;
  isolation: Isolation;
  sealing: Sealing;
  log: Log;
  observers: ReturnType<typeof metricsObservers>;
  version: string;
}

export interface Keeping extends AsyncDisposable {
  artifacts: Artifacts;
  profiles: Profiles;
  extensions: Extensions;
  projectFiles: ProjectFiles;
  fonts: Fonts;
  fontSets: FontSets;
  answers: AnswerCache;
  past: PastJobs;
  /** What an answer that is kept depends on, besides its request. */
  dependsOn: QuickParts['dependsOn'];
}

export async function openKeeping(parts: KeepingParts): Promise<Keeping> {
  const { config, store, ordered, node, turn, isolation, sealing, log, observers, version } = parts;
  await using opened = new AsyncDisposableStack();
  const { bootId } = node;
  const artifacts = opened.use(
    await openArtifacts({ config, store: ordered, log, node, ...observers.artifacts }),
  );
  const kept = { store: ordered, bytes: artifacts.bytes };
  const profiles = new Profiles({
    ...kept,
    bootId,
    keep: config.profileVersions,
    limitBytes: config.browserDisk,
    sealing,
  });
  const extensions = new Extensions({ ...kept, mode: config.extensions });
  const projectFiles = new ProjectFiles({
    ...kept,
    bootId,
    limitBytes: config.uploadLimit,
    ...observers.artifacts,
  });
  const fontsDir = opened.use(await emptyFolder(`${config.exchangeDir}-fonts`, 0o711));
  const fonts = new Fonts({ ...kept, boxed: isolation.mode === 'strict' });
  const fontSets = new FontSets({ ...kept, folder: fontsDir.path, user: isolation.user });
  const past = new PastJobs({ ...kept, files: projectFiles });
  const answers = new AnswerCache({
    ...kept,
    sealing,
    log,
    mostBytes: config.answerCache,
    keepMs: config.answerCacheTime,
  });
  profiles.whenDropped((profileId) => void answers.dropOfProfile(profileId));
  const swept = { artifacts, profiles, projectFiles, jobs: past, answers };
  opened.use(startSweeper({ ...swept, store, config, log, turn, ...observers.sweeper }));
  const dependsOn: Keeping['dependsOn'] = async (projectId, { profile }) => {
    const [saved, own] = await Promise.all([
      profile && profiles.find(projectId, refOf(profile)),
      fontSets.of(projectId),
    ]);
    const state = [saved?.id, saved?.version, own?.key, version, config.privateAccess];
    return { profileId: saved?.id ?? null, state };
  };
  const closing = opened.move();
  return {
    artifacts,
    profiles,
    extensions,
    projectFiles,
    fonts,
    fontSets,
    answers,
    past,
    dependsOn,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}
