/**
 * A live browser: the Chromium that runs, its tabs, dialogs and downloads, its exit to the network, and the warm
 * ones.
 */
export type { ChromiumDownloads, DownloadHandler, Leaving } from './chromium-downloads.ts';
export { defaultEmulation, type Emulation, emulationOf, mediaOf } from './emulation.ts';
export {
  type ExitTroubles,
  gatherTroubles,
  type NavigationVerdict,
  navigationVerdict,
  trueLine,
} from './exit-troubles.ts';
export type { WantedExtension } from './extensions.ts';
export type { LiveBrowser } from './live-browser.ts';
export type { LiveParts, NetworkSettings, OpenOptions } from './live-parts.ts';
export { openLive } from './open-live.ts';
export { RefusalEvents } from './refusal-events.ts';
export { longestAddress, type SavedTab, type Tab, toldTab } from './tab.ts';
export { createWarmBrowsers, type WarmBrowsers } from './warm-browsers.ts';
export { type Watcher, Watchers } from './watchers.ts';
