/** The viewers of all browsers of this node, and which of these browsers a person drives. */
import type { BrowsersOnNode, HandoffSoFar, Handoffs, Running } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import type { Events } from '../../events/events.ts';
import { iso } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { EndReason } from '../reach/reach.ts';
import { Handoff } from './handoff.ts';
import type { RecentDownload } from './told.ts';
import { ViewedBrowser } from './viewed-browser.ts';
import { type Allowed, View, type ViewerPort } from './viewer.ts';

export type { ViewerPort } from './viewer.ts';

export interface ViewsParts {
  browsers: Pick<BrowsersOnNode, 'use' | 'get' | 'close'>;
  events: Pick<Events, 'note'>;
  log: Log;
  /** Makes scripts wait; the return value lets them go on. */
  hold(running: Running): () => void;
  /** The newest downloads of a browser. */
  downloads(projectId: string, browserId: string): Promise<RecentDownload[]>;
  /** Hands a file of a browser to its Chromium; the path is as Chromium sees it. */
  lend(running: Running, fileId: string): Promise<string>;
}

const mostViewers = 16;
/** The rest of the places is for those who control: guests that only watch cannot lock the person out. */
const mostWatching = 12;
/** The oldest are forgotten: their browsers may have been closed long ago. */
const mostHandoffs = 1000;

export class Views implements Handoffs {
  readonly #parts: ViewsParts;
  readonly #browsers = new Map<string, ViewedBrowser>();
  /** Of browsers that do not run now. What was kept with their state may be older by a moment. */
  readonly #handoffs = new Map<string, HandoffSoFar>();

  constructor(parts: ViewsParts) {
    this.#parts = parts;
  }

  /** Fails where there is nothing to be seen now; the error says whether there will be. */
  async refuseAbsent(projectId: string, browserId: string): Promise<void> {
    await this.#parts.browsers.use(projectId, browserId);
  }

  async open(projectId: string, browserId: string, allowed: Allowed, port: ViewerPort): Promise<View> {
    const running = await this.#parts.browsers.use(projectId, browserId);
    const viewed = this.#viewedOf(running);
    const [here, most] =
      allowed.mode === 'view' ? [viewed.watching, mostWatching] : [viewed.viewers, mostViewers];
    if (here >= most || viewed.viewers >= mostViewers)
      throw new ApiError(
        'TOO_MANY_CLIENTS',
        `${here} viewers watch this browser already. Close one of them first.`,
        { headers: { 'retry-after': '1' } },
      );
    const view = new View(viewed, allowed, port);
    viewed.entered(view);
    try {
      await view.begin();
    } catch (error) {
      view.close();
      // It was ended while the viewer came in: the record says how.
      if (running.left.aborted) await this.#parts.browsers.use(projectId, browserId);
      throw error;
    }
    return view;
  }

  /** Whether a person holds the browser, or was asked to. */
  async handoff(projectId: string, browserId: string): Promise<Handoff> {
    return this.#viewedOf(await this.#parts.browsers.use(projectId, browserId)).handoff;
  }

  /** A browser that runs again is asked for as before, though its view is made only when it is looked at. */
  of(running: Running): ReturnType<Handoffs['of']> {
    const viewed = this.#browsers.get(running.id);
    const kept = this.#soFarOf(running);
    const { state, message, since } =
      viewed?.running === running
        ? viewed.handoff.view
        : {
            state: kept?.asked ? ('requested' as const) : ('scripts' as const),
            message: kept?.message,
            since: kept?.since ?? 0,
          };
    if (state === 'scripts') return undefined;
    return { state, ...(message !== undefined && { message }), since: iso(since) };
  }

  /** What this node remembers, or what came with the state of the browser, from another node or a service before. */
  #soFarOf({ id, handoff: saved }: Running): HandoffSoFar | undefined {
    const known = this.#handoffs.get(id);
    return (known?.since ?? -1) >= (saved?.since ?? 0) ? known : saved;
  }

  #viewedOf(running: Running): ViewedBrowser {
    const known = this.#browsers.get(running.id);
    if (known?.running === running) return known;
    const { events, log, hold, downloads, lend } = this.#parts;
    const viewed = new ViewedBrowser({
      running,
      log,
      handoff: new Handoff({
        running,
        events,
        hold: () => heldFor(running, hold),
        before: this.#soFarOf(running),
        close: () => this.#close(running),
      }),
      downloads: () => downloads(running.projectId, running.id),
      lend: (fileId) => lend(running, fileId),
    });
    this.#handoffs.delete(running.id);
    this.#browsers.set(running.id, viewed);
    running.left.addEventListener('abort', () => void this.#end(viewed), { once: true });
    return viewed;
  }

  async #end(viewed: ViewedBrowser): Promise<void> {
    this.#keepHandoff(viewed);
    if (this.#browsers.get(viewed.running.id) === viewed) this.#browsers.delete(viewed.running.id);
    if (viewed.viewers > 0) viewed.end(await this.#whyLeft(viewed.running));
  }

  #close({ projectId, id: browserId }: Running): void {
    this.#parts.browsers
      .close(projectId, browserId)
      .catch((error: unknown) => this.#parts.log.error({ err: error, browserId }, 'view.not_closed'));
  }

  #keepHandoff({ running, handoff: { soFar } }: ViewedBrowser): void {
    if (!soFar) return;
    this.#handoffs.set(running.id, soFar);
    const [oldest = ''] = this.#handoffs.keys();
    if (this.#handoffs.size > mostHandoffs) this.#handoffs.delete(oldest);
  }

  async #whyLeft({ projectId, id, moved }: Running): Promise<EndReason> {
    if (moved) return 'moved';
    const status = await this.#parts.browsers.get(projectId, id).then(
      (browser) => browser.status,
      () => 'closed',
    );
    if (status === 'stopping' || status === 'stopped') return 'stopped';
    return status === 'closing' || status === 'closed' ? 'closed' : 'crashed';
  }
}

/** While a person drives, script calls wait, and the dialogs of pages wait for that person. */
function heldFor(running: Running, hold: ViewsParts['hold']): () => void {
  const letScripts = hold(running);
  const letDialogs = running.live.dialogs.waitForPerson();
  return () => {
    letDialogs();
    letScripts();
  };
}
