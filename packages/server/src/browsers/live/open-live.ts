/** Opens a live browser part by part, so that what fails half-way leaves nothing behind; assemble.ts makes one of the parts. */
import { boxedProfileDir, type Chromium, launchChromium } from '../../chromium/chromium.ts';
import { type Egress, openEgress, Voucher } from '../../egress/egress.ts';
import { configurationName } from '../../fonts/fonts.ts';
import { shareOf } from '../../kit/loop-share.ts';
import { Consent } from '../consent/consent.ts';
import type { Exchange } from '../disk/disk.ts';
import { Interception } from '../interception/interception.ts';
import { NetworkLog } from '../network/network.ts';
import { assemble } from './assemble.ts';
import { ChromiumDownloads } from './chromium-downloads.ts';
import { watchConsole } from './console.ts';
import { Dialogs } from './dialogs.ts';
import { insideOf } from './exchange-places.ts';
import { keepOffOwnPages, type LaidOutExtension, layOutExtensions } from './extensions.ts';
import { Frames } from './frame-tree.ts';
import type { LiveBrowser } from './live-browser.ts';
import type { LiveParts, OpenOptions } from './live-parts.ts';
import { exitEvents } from './rules.ts';
import { Tabs } from './tabs.ts';
import { tellVendorCalls } from './vendor-calls.ts';
import { Watchers } from './watchers.ts';

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
