import {
  boxedProfileDir,
  type CdpClient,
  type Chromium,
  type ClientOptions,
  type Exit,
  type Isolation,
  launchChromium,
  openClient,
} from '../chromium/chromium.ts';
import { type Egress, openEgress, type Upstream } from '../egress/egress.ts';
import { createLiveFiles, type LiveFiles } from './live-files.ts';
import type { Profiles } from './profiles.ts';
import type { Policy } from './schema.ts';
import { Tabs } from './tabs.ts';
import { type Watcher, Watchers } from './watchers.ts';

/**
 * Everything of one browser that is alive on this node, opened and closed as one:
 * the profile folder, the Chromium on it, its exit to the network, its tabs.
 */
export interface LiveBrowser {
  readonly engine: 'shell' | 'full';
  readonly folder: string;
  readonly chromium: Chromium;
  readonly egress: Egress;
  readonly tabs: Tabs;
  readonly exited: Promise<Exit>;
  /** Hears what happens in it; the return value is the off switch. */
  watch(watcher: Partial<Watcher>): () => void;
  readonly files: LiveFiles;
  /** From now on it keeps to this policy and takes this way out. */
  obey(policy: Policy, proxy: Upstream | undefined): void;
  /** A client of its own on the pipe, behind the filter. */
  openClient(client: Omit<ClientOptions, 'rules'>): Promise<CdpClient>;
  /** Ends it at once and removes its folder. */
  discard(): Promise<{ processesEnded: number; bytesFreed: number }>;
  /** Lets Chromium save its profile; the folder stays. */
  quit(deadlineMs: number): Promise<void>;
  /** After Chromium has gone: closes the rest; the folder stays. */
  release(): Promise<void>;
}

export interface LiveParts {
  profiles: Profiles;
  isolation: Isolation;
  binaries: Partial<Record<'shell' | 'full', string>>;
  sandbox: boolean;
  launchTimeoutMs: number;
  cdpTimeoutMs: number;
  /** The service's own addresses, never reachable from a managed browser. */
  ownListeners(): { host: string; port: number }[];
}

export interface OpenOptions {
  engine: 'shell' | 'full';
  /** The folder of a browser that comes back; otherwise a new one is made, and removed if this fails. */
  folder?: string;
  inBackground?: boolean | 'always';
  onSpawn?(hurry: () => void): void;
  signal?: AbortSignal;
}

export async function openLive(parts: LiveParts, options: OpenOptions): Promise<LiveBrowser> {
  const folder = options.folder ?? (await parts.profiles.make());
  const watchers = new Watchers();
  const removeFolder = async () => (options.folder ? 0 : parts.profiles.remove(folder));
  const exit = (listener?: Chromium['exitListener']) =>
    openEgress({
      listener,
      ownListeners: parts.ownListeners,
      onRefused: (refusal) => watchers.tell('refused', refusal),
      onUnreachable: (failure) => watchers.tell('unreachable', failure),
      onActivity: () => watchers.tell('touched'),
      onUpstreamFailure: (failure) => watchers.tell('upstreamFailed', failure),
    });
  let egress = parts.isolation.mode === 'strict' ? undefined : await exit();
  let chromium: Chromium | undefined;
  let tabs: Tabs | undefined;
  try {
    chromium = await launchChromium({
      engine: options.engine,
      binary: parts.binaries[options.engine] ?? '',
      profileDir: folder,
      proxyUrl: egress?.url,
      isolation: parts.isolation,
      sandbox: parts.sandbox,
      launchTimeoutMs: parts.launchTimeoutMs,
      cdpTimeoutMs: parts.cdpTimeoutMs,
      inBackground: options.inBackground,
      onSpawn: options.onSpawn,
      signal: options.signal,
      prepare: async (cdp) => {
        const denied = cdp.send('Browser.setDownloadBehavior', { behavior: 'deny' });
        [tabs] = await Promise.all([Tabs.watch(cdp, watchers), denied]);
      },
    });
    egress ??= await exit(chromium.exitListener);
    return assemble({
      watchers,
      folder,
      chromium,
      egress,
      tabs: tabs as Tabs,
      profiles: parts.profiles,
      isolation: parts.isolation,
    });
  } catch (error) {
    await chromium?.kill();
    await egress?.close();
    await removeFolder();
    throw error;
  }
}

function assemble(open: {
  watchers: Watchers;
  folder: string;
  chromium: Chromium;
  egress: Egress;
  tabs: Tabs;
  profiles: Profiles;
  isolation: Isolation;
}): LiveBrowser {
  const { watchers, folder, chromium, egress, tabs, profiles, isolation } = open;
  const inside = isolation.mode === 'strict' ? boxedProfileDir : folder;
  const files = createLiveFiles({ folder, inside, user: isolation.user });
  return {
    watch: (watcher) => watchers.add(watcher),
    files,
    obey(policy, proxy) {
      egress.allow(policy, proxy);
      const allowed = policy.downloads?.mode !== 'deny';
      files.allowDownloads(allowed);
      // A client that is attached may have turned them on before.
      if (!allowed)
        void chromium.cdp.send('Browser.setDownloadBehavior', { behavior: 'deny' }).catch(() => undefined);
    },
    openClient: (client) => openClient(chromium.cdp, { ...client, rules: files }),
    engine: chromium.engine,
    folder,
    chromium,
    egress,
    tabs,
    exited: chromium.exited,
    async discard() {
      // A killed process writes nothing more, so its folder can go while it dies; a second look takes the rest.
      const [{ processesEnded }, bytesFreed] = await Promise.all([
        chromium.kill(),
        profiles.remove(folder),
        egress.close(),
      ]);
      return { processesEnded, bytesFreed: bytesFreed + (await profiles.remove(folder)) };
    },
    async quit(deadlineMs: number) {
      await chromium.quit(deadlineMs);
      await egress.close();
    },
    async release() {
      await Promise.all([chromium.kill(), egress.close()]);
    },
  };
}
