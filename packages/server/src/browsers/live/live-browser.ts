/**
 * Everything of one browser that lives on this node, opened and closed as one:
 * the profile folder, the Chromium on it, its exchange of files, its exit to the network, its tabs.
 */
import {
  boxedExchange,
  boxedProfileDir,
  type CdpClient,
  type Chromium,
  launchChromium,
  openClient,
} from '../../chromium/chromium.ts';
import { type Branch, type Egress, openEgress, Voucher } from '../../egress/egress.ts';
import { configurationName } from '../../fonts/fonts.ts';
import type { Engine } from '../../kit/engine.ts';
import { shareOf } from '../../kit/loop-share.ts';
import type { MemoryGroup, ProcessEnd } from '../../process/process.ts';
import { Consent } from '../consent/consent.ts';
import { createLentFiles, type Exchange, type LentFiles } from '../disk/disk.ts';
import { Interception, policyOfExit } from '../interception/interception.ts';
import { NetworkLog } from '../network/network.ts';
import { siteTrustOf } from '../record/record.ts';
import { ChromiumDownloads } from './chromium-downloads.ts';
import { watchConsole } from './console.ts';
import { Dialogs } from './dialogs.ts';
import { keepOffOwnPages, type LaidOutExtension, layOutExtensions, loadExtensions } from './extensions.ts';
import { Frames } from './frame-tree.ts';
import type { LiveParts, NetworkSettings, OpenOptions } from './live-parts.ts';
import { limitMemory } from './memory-limit.ts';
import { clientOptions, exitEvents, type GivenOptions } from './rules.ts';
import { Tabs } from './tabs.ts';
import { Trust } from './trust.ts';
import { tellVendorCalls } from './vendor-calls.ts';
import { type Watcher, Watchers } from './watchers.ts';

export interface LiveBrowser extends AsyncDisposable {
  readonly engine: Engine;
  /** When it was up, on the clock of `performance`. */
  readonly upSince: number;
  readonly folder: string;
  readonly chromium: Chromium;
  readonly egress: Egress;
  readonly tabs: Tabs;
  readonly dialogs: Dialogs;
  /** What its pages asked of the network. */
  readonly network: NetworkLog;
  readonly trust: Trust;
  readonly exited: Promise<ProcessEnd>;
  /** Listens to its events; the return value is the off switch. */
  watch(watcher: Partial<Watcher>): () => void;
  readonly files: LentFiles;
  readonly downloads: ChromiumDownloads;
  readonly interception: Interception;
  /** What becomes of cookie banners. */
  readonly consent: Consent;
  /**
   * Browser contexts of guests. No owner looks at their pages, so these have no console events, no log of requests and no
   * checkpoints: what Chromium would tell for that costs a page more than the rest of its commands.
   */
  readonly guestContexts: Set<string>;
  /** By the ids that Chromium gives them. */
  readonly extensionIds: ReadonlySet<string>;
  /** Once its policy holds: they may ask the network at once. */
  loadExtensions(): Promise<void>;
  /** From now on its pages have this policy, its connections take this proxy, and its sites are judged so. */
  setPolicy(settings: NetworkSettings): void;
  /**
   * From now on it is this project's, with the loop time that its Chromium and its traffic use, and may use this much
   * memory, in MiB; absent: what the operator lets a browser.
   */
  belongTo(projectId: string, memoryMb?: number): void;
  /** Why it must not come back: what it has on the disk is what is wrong with it. */
  readonly givenUp: string | undefined;
  /** Another exit, for one browser context: nothing is allowed there yet. */
  branch(watchers: Watchers): Promise<Branch>;
  /** A client of its own on the pipe, behind the filter. */
  openClient(client: GivenOptions): Promise<CdpClient>;
  /** Ends it at once and removes its folders. */
  discard(): Promise<{ processesEnded: number; bytesFreed: number }>;
  /** Lets Chromium save its profile; the folder stays. */
  quit(deadlineMs: number): Promise<void>;
  /** After Chromium has gone: closes the rest; the folder stays. */
  release(): Promise<void>;
}

export async function openLive(parts: LiveParts, options: OpenOptions): Promise<LiveBrowser> {
  const folder = options.folder ?? (await parts.profiles.make());
  const watchers = new Watchers();
  const guestContexts = new Set<string>();
  const isGuests = (contextId: string | undefined) => guestContexts.has(contextId ?? '');
  let projectId = '';
  const voucher = new Voucher();
  const exit = async (listener?: Chromium['exitListener'], heardBy = watchers) => {
    const opened = await openEgress({
      listener,
      ownListeners: parts.ownListeners,
      ceiling: () => parts.ceiling.of(projectId).reach,
      names: { servers: parts.dnsServers },
      share: () => shareOf(projectId),
      callsItsVendor: options.engine === 'full' && heardBy === watchers,
      voucher,
      gate: parts.gate,
      ...exitEvents(heardBy),
    });
    return parts.watchExit?.(opened) ?? opened;
  };
  await using undo = new AsyncDisposableStack();
  if (!options.folder) undo.defer(async () => void (await parts.profiles.remove(folder)));
  const extensions = await extensionsOf(parts, options, folder);
  const extensionIds = new Set(extensions.map(({ chromiumId }) => chromiumId));
  const fonts = await options.fonts?.layOut();
  if (fonts) undo.use(fonts);
  const exchange = await parts.exchanges.make();
  undo.defer(async () => void (await exchange.remove()));
  const place = { folder: exchange.downloads, inside: insideOf(parts, exchange).downloads };
  const closed = (opened: Egress): Egress => undo.adopt(opened, () => opened.close());
  let egress = parts.isolation.mode === 'strict' ? undefined : closed(await exit());
  let tabs: Tabs | undefined;
  let dialogs: Dialogs | undefined;
  let network: NetworkLog | undefined;
  let downloads: ChromiumDownloads | undefined;
  let interception: Interception | undefined;
  let consent: Consent | undefined;
  const group = parts.memoryGroups?.open(parts.memoryMb * 1024 ** 2);
  if (group) undo.defer(() => group.remove());
  const chromium = await launchChromium({
    engine: options.engine,
    binary: parts.binaries[options.engine] ?? '',
    profileDir: folder,
    exchange,
    fonts: fonts && { folder: fonts.folder, configuration: configurationName },
    proxyUrl: egress?.url,
    trustedKeyHash: voucher.keyHash,
    extensions: extensions.length > 0,
    isolation: parts.isolation,
    sandbox: parts.sandbox,
    launchTimeoutMs: parts.launchTimeoutMs,
    cdpTimeoutMs: parts.cdpTimeoutMs,
    messageLimitBytes: parts.messageLimitBytes,
    inBackground: options.inBackground,
    onSpawn: options.onSpawn,
    pauses: parts.pauses,
    onProcess: (pid) => group?.add([pid]),
    signal: options.signal,
    prepare: async (cdp) => {
      const tabOf = (targetId: string) => tabs?.tabOf(targetId);
      dialogs = new Dialogs(cdp, { watchers, timeoutMs: parts.dialogTimeoutMs, tabOf });
      network = new NetworkLog(cdp, {
        isOn: parts.networkLog,
        tabOf,
        exit: () => egress,
        watch: (watcher) => watchers.add(watcher),
        isGuests,
      });
      if (parts.consoleEvents) watchConsole(cdp, watchers, isGuests);
      if (options.engine === 'full') tellVendorCalls(cdp, watchers);
      consent = new Consent({ cdp, onDealt: (banner) => watchers.notify('bannerDealt', banner) });
      const frames = new Frames(cdp);
      downloads = new ChromiumDownloads(cdp, {
        ...place,
        uid: parts.isolation.user?.uid,
        tabOf: (frameId) => tabOf(frames.outermost(frameId)),
      });
      if (extensions.length > 0) keepOffOwnPages(cdp, extensionIds, () => tabs?.list().length ?? 0);
      [tabs] = await Promise.all([
        Tabs.watch(cdp, watchers, { mostTabs: parts.mostTabs, isGuests }),
        downloads.cover(),
      ]);
      const isPage = (frameId: string) => tabOf(frameId) !== undefined;
      interception = new Interception({ cdp, isPage, lists: parts.lists });
    },
  });
  undo.defer(async () => void (await chromium.kill()));
  egress ??= closed(await exit(chromium.exitListener));
  undo.move();
  return assemble(parts, {
    extensions,
    extensionIds,
    group,
    watchers,
    folder,
    exchange: fonts ? withFonts(exchange, fonts) : exchange,
    chromium,
    egress,
    openExit: (heardBy) => exit(undefined, heardBy),
    setOwner(owner) {
      projectId = owner;
      chromium.cdp.share = shareOf(owner);
      parts.pauses.add(chromium, owner);
    },
    tabs: tabs as Tabs,
    dialogs: dialogs as Dialogs,
    network: network as NetworkLog,
    downloads: downloads as ChromiumDownloads,
    interception: interception as Interception,
    consent: consent as Consent,
    guestContexts,
  });
}

async function extensionsOf(
  { isolation }: LiveParts,
  { extensions = [] }: OpenOptions,
  folder: string,
): Promise<LaidOutExtension[]> {
  if (extensions.length === 0) return [];
  const inside = isolation.mode === 'strict' ? boxedProfileDir : folder;
  return layOutExtensions(extensions, { folder, inside, owner: isolation.user });
}

/** The fonts that Chromium read go when it has ended, as all that it was handed. */
const withFonts = (exchange: Exchange, fonts: AsyncDisposable): Exchange => ({
  ...exchange,
  async remove() {
    await fonts[Symbol.asyncDispose]();
    return exchange.remove();
  },
});

const insideOf = ({ isolation }: LiveParts, exchange: Exchange): Pick<Exchange, 'uploads' | 'downloads'> =>
  isolation.mode === 'strict' ? boxedExchange : exchange;

function assemble(
  parts: LiveParts,
  open: {
    extensions: readonly LaidOutExtension[];
    extensionIds: ReadonlySet<string>;
    group: MemoryGroup | undefined;
    watchers: Watchers;
    openExit(heardBy: Watchers): Promise<Egress>;
    /** Until it has one it is the service's own. */
    setOwner(projectId: string): void;
    folder: string;
    exchange: Exchange;
    chromium: Chromium;
    egress: Egress;
    tabs: Tabs;
    dialogs: Dialogs;
    network: NetworkLog;
    downloads: ChromiumDownloads;
    interception: Interception;
    consent: Consent;
    guestContexts: Set<string>;
  },
): LiveBrowser {
  const { watchers, folder, exchange, chromium, egress, tabs, dialogs, network, downloads } = open;
  const { interception, consent } = open;
  const { profiles, isolation, reserveBytes } = parts;
  const trust = new Trust(chromium.cdp);
  let branches = 0;
  const limits = { watch: parts.memory, group: open.group, limitBytes: parts.memoryMb * 1024 ** 2 };
  const memory = limitMemory(limits, { chromium, tabs, watchers });
  let givenUp: string | undefined;
  const onDisk = parts.disk.watch({ profile: folder, exchange: exchange.folder }, (reason) => {
    givenUp = reason;
    chromium.endFor(reason);
  });
  void chromium.exited.then(() => onDisk[Symbol.dispose]());
  const files = createLentFiles({
    folder: exchange.uploads,
    inside: insideOf(parts, exchange).uploads,
    user: isolation.user,
    reserveBytes,
    onRefused: (refusal) => watchers.notify('fileRefused', refusal),
  });
  return {
    watch: (watcher) => watchers.add(watcher),
    files,
    downloads,
    interception,
    consent,
    guestContexts: open.guestContexts,
    extensionIds: open.extensionIds,
    async loadExtensions() {
      // One without any waits for nothing here.
      if (open.extensions.length === 0) return;
      await tabs.settled;
      await loadExtensions(chromium.cdp, open.extensions);
    },
    setPolicy(settings) {
      const { policy, proxy } = settings;
      egress.allow(policyOfExit(policy), proxy, siteTrustOf(settings));
      // A browser whose rules do not hold must not go on.
      const ruled = interception
        .set(policy)
        .catch(() => chromium.endFor('it did not take its request rules'));
      const consented = consent
        .set(policy.consent === 'decline')
        .catch(() => chromium.endFor('it did not take what declines cookie banners'));
      tabs.settled = Promise.all([tabs.settled, ruled, consented]);
      files.setPolicy(policy);
      void downloads.setPolicy(policy).catch(() => undefined);
    },
    belongTo(projectId, memoryMb = parts.memoryMb) {
      open.setOwner(projectId);
      memory.setLimit(memoryMb * 1024 ** 2);
      onDisk.projectId = projectId;
    },
    get givenUp() {
      return givenUp;
    },
    async branch(heardBy) {
      if (isolation.mode !== 'strict') return open.openExit(heardBy);
      branches++;
      const opened = egress.branch(`127.1.${branches >> 8}.${branches & 255}`, exitEvents(heardBy));
      return parts.watchExit?.(opened) ?? opened;
    },
    async openClient(client) {
      await tabs.settled;
      const { extensionIds } = open;
      const own = { files, downloads, tabs, dialogs, trust, watchers, egress, extensionIds };
      return openClient(chromium.cdp, clientOptions(client, own));
    },
    engine: chromium.engine,
    upSince: performance.now(),
    folder,
    chromium,
    egress,
    tabs,
    dialogs,
    network,
    trust,
    exited: chromium.exited,
    async [Symbol.asyncDispose]() {
      await this.discard();
    },
    async discard() {
      // A killed process writes nothing more, so its folder can go while it dies; a second look takes the rest.
      const [{ processesEnded }, bytesFreed] = await Promise.all([
        chromium.kill(),
        profiles.remove(folder),
        egress.close(),
        downloads.leave('closed'),
      ]);
      const rest = await Promise.all([profiles.remove(folder), exchange.remove()]);
      return { processesEnded, bytesFreed: rest.reduce((sum, bytes) => sum + bytes, bytesFreed) };
    },
    async quit(deadlineMs: number) {
      // First: downloads that Chromium cancels while it ends were ended by the stop.
      const left = downloads.leave('stopped');
      await chromium.quit(deadlineMs);
      await Promise.all([egress.close(), left]);
      await exchange.remove();
    },
    async release() {
      await Promise.all([chromium.kill(), egress.close(), downloads.leave('crashed')]);
      await exchange.remove();
    },
  };
}
