/** Passes the service's download events on to the sessions that asked, without the place where the file lies. */
import type { Cdp } from './cdp.ts';

export class DownloadEvents {
  readonly #sessions = new Set<string | undefined>();
  readonly #offSwitches: (() => void)[];

  constructor(cdp: Cdp, tell: (event: object) => void) {
    const pass = (method: string, params: object): void => {
      for (const sessionId of this.#sessions) tell({ method, params, sessionId });
    };
    this.#offSwitches = [
      cdp.on('Browser.downloadWillBegin', (params) => pass('Browser.downloadWillBegin', params)),
      cdp.on('Browser.downloadProgress', ({ filePath: _, ...params }) =>
        pass('Browser.downloadProgress', params),
      ),
    ];
  }

  wanted(sessionId: string | undefined, wanted: boolean): void {
    if (wanted) this.#sessions.add(sessionId);
    else this.#sessions.delete(sessionId);
  }

  stop(): void {
    for (const off of this.#offSwitches) off();
  }
}
