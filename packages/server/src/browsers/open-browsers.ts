/**
 * Builds this room from the disk up: folders, live browsers and warm ones, downloads and recordings, the records' keeper,
 * and the guests of quick actions. Returns its faces and one end, in which everything opened here is closed in reverse.
 */
import { join } from 'node:path';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { type Engines, majorOf } from '../chromium/chromium.ts';
import type { Cluster, Member } from '../cluster/cluster.ts';
import type { Ceiling } from '../egress/egress.ts';
import type { Events } from '../events/events.ts';
import type { Extensions } from '../extensions/extensions.ts';
import type { FontSets } from '../fonts/fonts.ts';
import type { Engine } from '../kit/engine.ts';
import type { Log } from '../kit/log.ts';
import { type Isolation, openMemoryGroups, openMemoryWatch } from '../process/process.ts';
import type { Profiles, Sealing } from '../profiles/profiles.ts';
import type { Store } from '../store/records.ts';
import type { BrowsersConfig } from './browsers-config.ts';
import { BrowsersOnNode, type BrowsersParts } from './browsers-on-node.ts';
import {
  liesInMemory,
  openDiskWatch,
  openExchanges,
  openProfileFolders,
  type ProfileFolders,
} from './disk/disk.ts';
import { Downloads } from './downloads/downloads.ts';
import { Guests } from './guests/guests.ts';
import { FilterLists, RuleFiles } from './interception/interception.ts';
import { createWarmBrowsers, type LiveParts, type WarmBrowsers } from './live/live.ts';
import { endLostWork } from './lost-work.ts';
import { HarFiles } from './network/network.ts';
import { ProfileBases } from './profile/profile.ts';
import { Capacity } from './record/record.ts';
import {
  createVideoMaker,
  RecordingCuts,
  type RecordingOrders,
  Recordings,
  recordingOrders,
} from './recordings/recordings.ts';
import { openVault, type Vault } from './vault/vault.ts';

export interface OpenBrowsersParts extends Pick<LiveParts, 'ownListeners' | 'gate' | 'pauses' | 'watchExit'> {
  config: BrowsersConfig;
  store: Store;
  events: Events;
  artifacts: Artifacts;
  saved: Profiles;
  sealing: Sealing;
  extensions: Extensions;
  fonts: FontSets;
  log: Log;
  node: Cluster;
  isolation: Isolation;
  engines: Engines;
  ceiling: Ceiling;
  masks: BrowsersParts['masks'] & { json(projectId: string, json: string): string };
  beforeReturn?: BrowsersParts['beforeReturn'];
  onStarted?: BrowsersParts['onStarted'];
}

export interface BrowsersRoom extends AsyncDisposable {
  browsers: BrowsersOnNode;
  downloads: Downloads;
  recordings: RecordingOrders;
  cuts: RecordingCuts;
  guests: Guests;
  capacity: Capacity;
  pool: WarmBrowsers;
  /** What nodes had under way that are gone. Returns how much that was. */
  endLostWork(): Promise<number>;
}

/**
 * How much must be left where profiles lie, as so many times the storage reserve, which readiness asks for: first new
 * profiles go elsewhere, then the largest one goes.
 */
const reserves = { newProfiles: 2, largestProfile: 1.5 };

/** On a machine that is alone only a database that was away at the wrong moment leaves something to mend. */
const aloneReconcileMs = 30_000;
/** Every third sign of life: what another node has taken over must not run on here. */
const leaseToReconcile = 0.3;

/** A node that has been silent for this part of the lease may be gone. */
const freshPart = 0.5;

const othersUp = (node: Cluster, { lease }: BrowsersConfig): Member[] =>
  node
    .members()
    .filter(
      ({ bootId, state, silentMs }) =>
        state === 'up' && bootId !== node.bootId && silentMs < lease * freshPart,
    );

/** What other nodes could take, beyond what waits for them already. */
async function roomElsewhere(store: Store, node: Cluster, { lease }: BrowsersConfig): Promise<number> {
  const free = await store.placement.roomBeside(node.bootId, lease * freshPart);
  return free > 0 ? free - (await store.placement.homeless()) : 0;
}

export async function openBrowsers(parts: OpenBrowsersParts): Promise<BrowsersRoom> {
  await using undo = new AsyncDisposableStack();
  const { config, store, events, artifacts, saved, log, node, isolation, engines } = parts;
  const exchanges = await openExchanges(config.exchangeDir, isolation.user);
  undo.defer(() => exchanges.close());
  const overflow = {
    folder: `${config.exchangeDir}-profiles`,
    leastFreeBytes: config.storageReserve * reserves.newProfiles,
  };
  const profiles = await openProfileFolders({ ...config, overflow, user: isolation.user });
  undo.defer(() => profiles.close());
  const disk = openDiskWatch({
    quotaBytes: config.browserDisk,
    projectQuotaBytes: config.projectDisk,
    memoryFolder: (await liesInMemory(config.scratchDir)) ? config.scratchDir : null,
    memoryReserveBytes: config.storageReserve * reserves.largestProfile,
    disks: [config.scratchDir, config.exchangeDir],
  });
  undo.use(disk);
  const lists = await FilterLists.read(config.filterLists);
  const live: LiveParts = {
    lists,
    profiles,
    exchanges,
    disk,
    reserveBytes: config.storageReserve,
    isolation,
    binaries: engines.binaries,
    sandbox: config.sandbox === 'on',
    mostTabs: config.maxTabs,
    memory: undo.use(openMemoryWatch()),
    memoryGroups: openMemoryGroups({ owner: config.dataDir }),
    pauses: parts.pauses,
    memoryMb: Math.min(config.browserMemoryMb, config.maxBrowserMemoryMb),
    launchTimeoutMs: config.launchTimeout,
    cdpTimeoutMs: config.cdpTimeout,
    messageLimitBytes: config.chromiumMessageLimit,
    dialogTimeoutMs: config.dialogTimeout,
    consoleEvents: config.consoleEvents === 'on',
    networkLog: config.networkLog === 'on',
    ownListeners: parts.ownListeners,
    gate: parts.gate,
    ceiling: parts.ceiling,
    dnsServers: config.dnsServers,
    watchExit: parts.watchExit,
  };
  const bases = new ProfileBases({ versions: saved.versions, folders: profiles, owner: isolation.user });
  undo.defer(() => bases.close());
  saved.whenDropped((profileId) => bases.drop(profileId));
  const pool = createWarmBrowsers({ parts: live, engine: engines.default, size: config.poolSize, log });
  undo.defer(() => pool.close());
  const capacity = new Capacity({
    max: config.maxBrowsers,
    maxPerProject: config.maxBrowsersPerProject,
    queueLimit: config.queueLimit,
    countProjects: () => store.projects.count(),
  });
  await capacity.look();

  const unfinished = Map.groupBy(await artifacts.inherit(), ({ kind }) => kind);
  const downloads = new Downloads({
    artifacts,
    events,
    log,
    limitBytes: config.downloadLimit,
    reserveBytes: config.storageReserve,
    folder: exchanges.folder,
  });
  await downloads.giveUp(unfinished.get('download') ?? []);
  const maker = createVideoMaker({ live, engines: [...new Set([engines.default, ...engines.found])] });
  const recordings = new Recordings({
    artifacts,
    events,
    log,
    maker,
    folder: join(config.dataDir, 'recordings'),
    maxDurationMs: config.recordingMaxDuration,
    maxBytes: config.recordingMaxSize,
    reserveBytes: config.storageReserve,
  });
  await recordings.inherit(unfinished.get('recording') ?? []);

  const vault = config.clusterAddress === null ? undefined : vaultOf(parts, profiles);
  if (vault) undo.use(vault);
  const browsers = new BrowsersOnNode({
    vault,
    store,
    events,
    log,
    pool,
    profiles,
    saved,
    extensions: parts.extensions,
    fonts: parts.fonts,
    bases,
    live,
    downloads,
    ruleFiles: new RuleFiles(artifacts),
    lists,
    recordings,
    hars: new HarFiles({ artifacts, log, maskJson: (projectId, json) => parts.masks.json(projectId, json) }),
    masks: parts.masks,
    capacity,
    engines,
    ceiling: parts.ceiling,
    nodeId: node.id,
    bootId: node.bootId,
    alone: node.alone,
    startClaims: (adopt, room, limits) => node.startClaims(adopt, room, limits),
    countNodes: () => othersUp(node, config).length + 1,
    roomElsewhere:
      node.alone || config.drain === 'stop' ? undefined : () => roomElsewhere(store, node, config),
    reconcileMs: node.alone ? aloneReconcileMs : config.lease * leaseToReconcile,
    checkpointIntervalMs: config.checkpointInterval,
    profileIntervalMs: config.profileInterval,
    defaultMaxDurationMs: config.maxDuration,
    memory: { defaultMb: live.memoryMb, mostMb: config.maxBrowserMemoryMb },
    beforeReturn: parts.beforeReturn,
    onStarted: parts.onStarted,
  });
  undo.defer(() => browsers.shutdown());
  await browsers.start();
  undo.defer(() => recordings.close());
  recordings.start();
  const cuts = new RecordingCuts({ maker, log, runningOf: (browserId) => recordings.runningOf(browserId) });
  undo.defer(() => cuts.close());
  const guests = new Guests({
    pool,
    profiles,
    saved,
    bases,
    live,
    fonts: parts.fonts,
    capacity,
    lists,
    engine: engines.default,
    ceiling: parts.ceiling,
    log,
  });
  undo.defer(() => guests.close());

  const closing = undo.move();
  return {
    browsers,
    downloads,
    recordings: recordingOrders({ browsers, recordings, artifacts }),
    cuts,
    guests,
    capacity,
    pool,
    endLostWork: () => endLostWork({ artifacts, downloads, recordings }),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

function vaultOf(parts: OpenBrowsersParts, profiles: ProfileFolders): Vault {
  const { config, node, isolation, engines } = parts;
  const majors = new Map<Engine, Promise<number | undefined>>();
  return openVault({
    ...parts,
    bytes: parts.artifacts.bytes,
    profiles,
    nodeId: node.id,
    bootId: node.bootId,
    owner: isolation.user,
    isUp: (nodeId) => node.members().some(({ id, state }) => id === nodeId && state !== 'gone'),
    limitBytes: config.browserDisk,
    intervalMs: config.vaultInterval,
    majorOf(engine) {
      const known = majors.get(engine) ?? majorOf(engines.binaries[engine] ?? '');
      majors.set(engine, known);
      return known;
    },
  });
}
