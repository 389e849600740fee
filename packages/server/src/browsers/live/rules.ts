/** What a live browser tells its parts: where the events of its exit go, and what its CDP clients may do to it. */
import type { ClientOptions } from '../../chromium/chromium.ts';
import type { Egress, ExitObserver } from '../../egress/egress.ts';
import type { LentFiles } from '../disk/disk.ts';
import { changeOf } from '../record/record.ts';
import type { ChromiumDownloads } from './chromium-downloads.ts';
import type { Dialogs } from './dialogs.ts';
import type { Tabs } from './tabs.ts';
import type { Trust } from './trust.ts';
import type { Watchers } from './watchers.ts';
import type { WindowClient } from './windows.ts';

export const exitEvents = (watchers: Watchers): ExitObserver => ({
  onRefused: (refusal) => watchers.notify('refused', refusal),
  onUnreachable: (failure) => watchers.notify('unreachable', failure),
  onActivity: () => watchers.notify('touched'),
  onUpstreamFailure: (failure) => watchers.notify('upstreamFailed', failure),
});

/** What the room that opens a client gives it; the rest is the browser's own. */
export type GivenOptions = Omit<
  ClientOptions,
  | 'rules'
  | 'outcomeOf'
  | 'credentialsFor'
  | 'secretHeaders'
  | 'onLeavingPage'
  | 'beforeDetach'
  | 'afterDetach'
  | 'onServed'
> &
  Pick<ClientOptions['rules'], 'resolveRef'>;

interface ClientParts {
  files: LentFiles;
  downloads: ChromiumDownloads;
  tabs: Tabs;
  dialogs: Dialogs;
  trust: Trust;
  watchers: Watchers;
  egress: Egress;
  extensionIds: ReadonlySet<string>;
}

export function clientOptions({ resolveRef, ...given }: GivenOptions, parts: ClientParts): ClientOptions {
  const { tabs, dialogs, trust, watchers, egress } = parts;
  const { credentials, certificates } = trust;
  const windows = tabs.windows.client();
  return {
    ...given,
    // The rules read some of their values at every use, so they are added to, not copied.
    rules: Object.assign(rulesOf(parts, windows), { resolveRef }),
    outcomeOf: (url) => {
      const outcome = egress.outcome(url);
      return { ...outcome, certificateError: outcome?.certificateError ?? certificates.errorOf(url) };
    },
    credentialsFor: (origin) => credentials.of(origin),
    secretHeaders: () => credentials.headers,
    onLeavingPage: (targetId) => dialogs.makeWay(targetId),
    // Chromium dismisses an open dialog when one of the sessions that it notified detaches.
    beforeDetach: () => dialogs.settled(),
    afterDetach: () => windows.leave().catch(() => undefined),
    onServed: (method, params) => {
      const change = changeOf(method, params);
      if (change) watchers.notify('permissionsChanged', change);
    },
  };
}

const rulesOf = (
  { files, downloads, tabs, extensionIds }: ClientParts,
  windows: WindowClient,
): ClientOptions['rules'] => ({
  extensionIds,
  get downloadPath() {
    return downloads.path;
  },
  get media() {
    return tabs.media;
  },
  tabRefusal: () => tabs.refusal(),
  fileFor: (path) => files.fileFor(path),
  onContext: (id) => void downloads.cover(id).catch(() => undefined),
  onDownloadsDenied: (id, denied) => downloads.denyFor(id, denied),
  onCancel: (guid) => downloads.clientCancels(guid),
  window: windows.command,
});
