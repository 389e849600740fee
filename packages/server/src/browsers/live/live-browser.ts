/**
 * Everything of one browser that lives on this node, opened and closed as one:
 * the profile folder, the Chromium on it, its exchange of files, its exit to the network, its tabs.
 */
import type { CdpClient, Chromium } from '../../chromium/chromium.ts';
import type { Branch, Egress } from '../../egress/egress.ts';
import type { Engine } from '../../kit/engine.ts';
import type { ProcessEnd } from '../../process/process.ts';
import type { Consent } from '../consent/consent.ts';
import type { LentFiles } from '../disk/disk.ts';
import type { Interception } from '../interception/interception.ts';
import type { NetworkLog } from '../network/network.ts';
import type { ChromiumDownloads } from './chromium-downloads.ts';
import type { Dialogs } from './dialogs.ts';
import type { NetworkSettings } from './live-parts.ts';
import type { GivenOptions } from './rules.ts';
import type { Tabs } from './tabs.ts';
import type { Trust } from './trust.ts';
import type { Watcher, Watchers } from './watchers.ts';

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
