/**
 * Passes the service's download events on to the sessions that asked, without the place where the file lies.
 *
 * A client that had Chromium name files by their guid looks for them on its own disk, where they are not. Of a missing file
 * Playwright makes an empty stream, but not of a path with a zero byte, which is an error wherever it is used. So such a
 * client is given a guid that says, between two of them, where the file is, and reads that in the error. It comes first
 * and is short, because Node shows no more than 128 characters of such a path.
 */
import type { Cdp } from './cdp.ts';

export class DownloadEvents {
  /** What is put before the guids, by the sessions that want events. */
  readonly #sessions = new Map<string | undefined, string>();
  readonly #note: string;
  readonly #offSwitches: (() => void)[];

  constructor(cdp: Cdp, tell: (event: object) => void, fileElsewhere?: string) {
    this.#note = fileElsewhere ? `\0${fileElsewhere}\0` : '';
    const pass = (method: string, params: { guid: string }): void => {
      for (const [sessionId, note] of this.#sessions)
        tell({ method, params: { ...params, guid: note + params.guid }, sessionId });
    };
    this.#offSwitches = [
      cdp.on('Browser.downloadWillBegin', (params) => pass('Browser.downloadWillBegin', params)),
      cdp.on('Browser.downloadProgress', ({ filePath: _, ...params }) =>
        pass('Browser.downloadProgress', params),
      ),
    ];
  }

  /** How a session asked for downloads. */
  wanted(sessionId: string | undefined, asked: Record<string, unknown>): void {
    const byGuid = asked.behavior === 'allowAndName' && typeof asked.downloadPath === 'string';
    if (asked.eventsEnabled === true) this.#sessions.set(sessionId, byGuid ? this.#note : '');
    else this.#sessions.delete(sessionId);
  }

  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  stop(): void {
    for (const off of this.#offSwitches) off();
  }
}
