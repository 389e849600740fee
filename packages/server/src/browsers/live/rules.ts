/** What a live browser tells its parts: where the events of its exit go, and what the filter may let its CDP clients do. */
import type { ClientOptions } from '../../chromium/chromium.ts';
import type { ExitObserver } from '../../egress/egress.ts';
import type { LentFiles } from '../disk/disk.ts';
import type { ChromiumDownloads } from './chromium-downloads.ts';
import type { Tabs } from './tabs.ts';
import type { Watchers } from './watchers.ts';

export const exitEvents = (watchers: Watchers): ExitObserver => ({
  onRefused: (refusal) => watchers.notify('refused', refusal),
  onUnreachable: (failure) => watchers.notify('unreachable', failure),
  onActivity: () => watchers.notify('touched'),
  onUpstreamFailure: (failure) => watchers.notify('upstreamFailed', failure),
});

export const rulesOf = (
  files: LentFiles,
  downloads: ChromiumDownloads,
  tabs: Tabs,
): ClientOptions['rules'] => ({
  get downloadPath() {
    return downloads.path;
  },
  tabRefusal: () => tabs.refusal(),
  fileFor: (path) => files.fileFor(path),
  onContext: (id) => void downloads.cover(id).catch(() => undefined),
  onDownloadsDenied: (id, denied) => downloads.denyFor(id, denied),
  onCancel: (guid) => downloads.clientCancels(guid),
});
