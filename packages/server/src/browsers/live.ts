import { type Chromium, type Exit, type Isolation, launchChromium } from '../chromium/chromium.ts';
import { type Egress, openEgress, type Refusal } from '../egress/egress.ts';
import type { Profiles } from './profiles.ts';
import { Tabs } from './tabs.ts';

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
  /** Where the egress sends its news; filled in by the browser that takes it. */
  readonly news: EgressNews;
  /** Called when something worth saving may have changed. */
  touched: () => void;
  /** Ends it at once and removes its folder. */
  discard(): Promise<{ processesEnded: number; bytesFreed: number }>;
  /** Lets Chromium save its profile; the folder stays. */
  quit(deadlineMs: number): Promise<void>;
  /** After Chromium has gone: closes the rest; the folder stays. */
  release(): Promise<void>;
}

export interface EgressNews {
  refused?(refusal: Refusal): void;
  activity?(): void;
  upstreamFailed?(failure: { code: 'PROXY_UNREACHABLE' | 'PROXY_AUTH_FAILED'; message: string }): void;
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
  inBackground?: boolean;
  onSpawn?(hurry: () => void): void;
  signal?: AbortSignal;
}

export async function openLive(parts: LiveParts, options: OpenOptions): Promise<LiveBrowser> {
  const folder = options.folder ?? (await parts.profiles.make());
  const news: EgressNews = {};
  const removeFolder = async () => (options.folder ? 0 : parts.profiles.remove(folder));
  const exit = (listener?: Chromium['exitListener']) =>
    openEgress({
      listener,
      ownListeners: parts.ownListeners,
      onRefused: (refusal) => news.refused?.(refusal),
      onActivity: () => news.activity?.(),
      onUpstreamFailure: (failure) => news.upstreamFailed?.(failure),
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
        [tabs] = await Promise.all([Tabs.watch(cdp), denied]);
      },
    });
    egress ??= await exit(chromium.exitListener);
    return assemble({ news, folder, chromium, egress, tabs: tabs as Tabs, profiles: parts.profiles });
  } catch (error) {
    await chromium?.kill();
    await egress?.close();
    await removeFolder();
    throw error;
  }
}

function assemble(open: {
  news: EgressNews;
  folder: string;
  chromium: Chromium;
  egress: Egress;
  tabs: Tabs;
  profiles: Profiles;
}): LiveBrowser {
  const { news, folder, chromium, egress, tabs, profiles } = open;
  return {
    news,
    touched: () => undefined,
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
