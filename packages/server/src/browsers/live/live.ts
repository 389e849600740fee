/**
 * A live browser: the Chromium that runs, its tabs, dialogs and downloads, its exit to the network, and the warm
 * ones.
 */
export type { DownloadHandler, Leaving, LiveDownloads } from './download-news.ts';
export { defaultEmulation, type Emulation, emulationOf, usualViewport } from './emulation.ts';
export { type LiveBrowser, type LiveParts, type OpenOptions, openLive } from './live-browser.ts';
export type { Tab } from './tab.ts';
export { createWarmBrowsers, type WarmBrowsers } from './warm-browsers.ts';
export { type Watcher, Watchers } from './watchers.ts';
