/**
 * Chromium's half of downloads: where it puts them, and its events of them, for the handler that keeps their records.
 *
 *   begins ──> moves … ──> completed: a file named by the guid lies in the folder
 *                     └──> canceled: nothing does
 *
 * Where downloads go is set for each browser context, also for those that clients make.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Cdp, CdpError } from '../../chromium/chromium.ts';
import { ApiError } from '../../errors.ts';
import type { Policy } from '../record/policy-schema.ts';

export interface DownloadHandler {
  began(download: { guid: string; url: string; suggestedFilename: string; tabId?: string }): void;
  moved(guid: string, progress: { receivedBytes: number; totalBytes: number }): void;
  /** `byClient`: a client of the browser asked for it. */
  ended(guid: string, how: 'completed' | 'canceled', byClient: boolean): void;
  setPolicy(policy: Policy): void;
  /** The record of a download that Chromium has ended, once it is final. */
  idOf(guid: string): Promise<string | undefined>;
  /** Chromium is about to end. Resolves when nothing is wanted of the folder any more. */
  leave(how: Leaving): Promise<void>;
}

export type Leaving = 'stopped' | 'closed' | 'crashed';

export interface ChromiumDownloadsOptions {
  folder: string;
  /** The same folder as Chromium sees it. */
  inside: string;
  /** The owner that files there must have. */
  uid: number | undefined;
  tabOf(frameId: string): string | undefined;
}

const guidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export class ChromiumDownloads {
  readonly #cdp: Cdp;
  readonly #options: ChromiumDownloadsOptions;
  readonly #deniedByClient = new Set<string>();
  readonly #cancelledByClient = new Set<string>();
  #allowed = true;
  #handler: DownloadHandler | undefined;

  constructor(cdp: Cdp, options: ChromiumDownloadsOptions) {
    this.#cdp = cdp;
    this.#options = options;
    cdp.on('Browser.downloadWillBegin', ({ frameId, guid, url, suggestedFilename }) => {
      if (!guidShape.test(guid)) return;
      this.#handler?.began({ guid, url, suggestedFilename, tabId: options.tabOf(frameId) });
      void this.#closeEmptyWindow(frameId).catch(() => undefined);
    });
    cdp.on('Browser.downloadProgress', ({ guid, state, receivedBytes, totalBytes }) => {
      if (state === 'inProgress') this.#handler?.moved(guid, { receivedBytes, totalBytes });
      else this.#handler?.ended(guid, state, this.#cancelledByClient.delete(guid));
    });
  }

  /** As Chromium sees it; null: the policy denies downloads. */
  get path(): string | null {
    return this.#allowed ? this.#options.inside : null;
  }

  serve(handler: DownloadHandler): void {
    this.#handler = handler;
  }

  async leave(how: Leaving): Promise<void> {
    await this.#handler?.leave(how);
  }

  async idOf(guid: string): Promise<string | undefined> {
    return this.#handler?.idOf(guid);
  }

  /** For Chromium in all its contexts, and for downloads under way. */
  async setPolicy(policy: Policy): Promise<void> {
    const wasAllowed = this.#allowed;
    this.#allowed = policy.downloads?.mode !== 'deny';
    this.#handler?.setPolicy(policy);
    if (this.#allowed === wasAllowed) return;
    await Promise.all([this.cover(), this.#coverContexts()]);
  }

  /** A window that was opened for the download alone stays empty for ever, and scripts would wait for its page. */
  async #closeEmptyWindow(targetId: string): Promise<void> {
    const { targetInfo } = await this.#cdp.send('Target.getTargetInfo', { targetId });
    if (targetInfo.openerId && targetInfo.url === '')
      await this.#cdp.send('Target.closeTarget', { targetId });
  }

  async #coverContexts(): Promise<void> {
    const { browserContextIds } = await this.#cdp.send('Target.getBrowserContexts');
    for (const id of this.#deniedByClient)
      if (!browserContextIds.includes(id)) this.#deniedByClient.delete(id);
    await Promise.all(browserContextIds.map((id) => this.cover(id)));
  }

  /** Sets where Chromium puts the downloads of a context; without one, those of its first. */
  async cover(browserContextId?: string): Promise<void> {
    const denied = !this.#allowed || this.#deniedByClient.has(browserContextId ?? '');
    await this.#cdp.send('Browser.setDownloadBehavior', {
      behavior: denied ? 'deny' : 'allowAndName',
      downloadPath: denied ? undefined : this.#options.inside,
      browserContextId,
      eventsEnabled: true,
    });
  }

  denyFor(browserContextId: string, denied: boolean): void {
    if (denied) this.#deniedByClient.add(browserContextId);
    else this.#deniedByClient.delete(browserContextId);
  }

  clientCancels(guid: string): void {
    if (guidShape.test(guid)) this.#cancelledByClient.add(guid);
  }

  /** Chromium needs the context of the download; there are few, and one of them has it. */
  async cancel(guid: string): Promise<void> {
    const cancelIn = (browserContextId?: string) =>
      this.#cdp.send('Browser.cancelDownload', { guid, browserContextId }).then(
        () => true,
        (error) => !(error instanceof CdpError),
      );
    if (await cancelIn()) return;
    const { browserContextIds } = await this.#cdp.send('Target.getBrowserContexts');
    for (const id of browserContextIds) if (await cancelIn(id)) return;
  }

  /** Chromium may have been taken over by a page: what lies there is read only if it is what it should be. */
  async open(guid: string): Promise<FileHandle> {
    const { uid } = this.#options;
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const file = await open(this.#pathOf(guid), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const found = await file.stat();
    if (found.isFile() && found.nlink === 1 && (uid === undefined || found.uid === uid)) return file;
    await file.close();
    throw new ApiError('STORE_UNAVAILABLE', 'What Chromium left in place of the file cannot be trusted.');
  }

  async discard(guid: string): Promise<void> {
    const path = this.#pathOf(guid);
    for (const each of [path, `${path}.crdownload`]) await rm(each, { force: true, recursive: true });
  }

  #pathOf(guid: string): string {
    if (!guidShape.test(guid)) throw new Error('This is not the name of a download.');
    return join(this.#options.folder, guid);
  }
}
