/** One live browser made of its open parts: what concerns several of them at once, such as its policy and its end, is here. */
import { type Chromium, openClient } from '../../chromium/chromium.ts';
import type { Egress } from '../../egress/egress.ts';
import type { MemoryGroup } from '../../process/process.ts';
import type { Consent } from '../consent/consent.ts';
import { createLentFiles, type Exchange } from '../disk/disk.ts';
import { type Interception, policyOfExit } from '../interception/interception.ts';
import type { NetworkLog } from '../network/network.ts';
import { siteTrustOf } from '../record/record.ts';
import type { ChromiumDownloads } from './chromium-downloads.ts';
import type { Dialogs } from './dialogs.ts';
import { insideOf } from './exchange-places.ts';
import { type LaidOutExtension, loadExtensions } from './extensions.ts';
import type { LiveBrowser } from './live-browser.ts';
import type { LiveParts } from './live-parts.ts';
import { limitMemory } from './memory-limit.ts';
import { clientOptions, exitEvents } from './rules.ts';
import type { Tabs } from './tabs.ts';
import { Trust } from './trust.ts';
import type { Watchers } from './watchers.ts';

/** What was opened for a browser, part by part. */
interface OpenParts {
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
}

export function assemble(parts: LiveParts, open: OpenParts): LiveBrowser {
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
