import type { Browsers, BrowsersOnNode, Running } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import type { Events } from '../../events/events.ts';
import type { Log } from '../../kit/log.ts';
import { Handoff } from './handoff.ts';
import { Stage } from './stage.ts';
import { View, type ViewerPort } from './view.ts';

/** All who watch browsers of this node, and the persons among them who hold one. */
export interface LiveViewsParts {
  browsers: Pick<BrowsersOnNode, 'use'> & Pick<Browsers, 'get'>;
  events: Events;
  log: Log;
  /** Makes scripts wait; the return value lets them go on. */
  hold(running: Running): () => void;
}

/** One browser as it is watched. */
export interface Show {
  readonly running: Running;
  readonly stage: Stage;
  readonly handoff: Handoff;
  readonly views: Set<View>;
}

const mostViewers = 16;

export class LiveViews {
  readonly #parts: LiveViewsParts;
  readonly #shows = new Map<string, Show>();

  constructor(parts: LiveViewsParts) {
    this.#parts = parts;
  }

  async open(
    projectId: string,
    browserId: string,
    mode: 'view' | 'control',
    port: ViewerPort,
  ): Promise<View> {
    const running = await this.#parts.browsers.use(projectId, browserId);
    const show = this.#showOf(running);
    if (show.views.size >= mostViewers)
      throw new ApiError(
        'TOO_MANY_CLIENTS',
        `${mostViewers} viewers watch this browser already. Close one of them first.`,
        { headers: { 'retry-after': '1' } },
      );
    const view = new View(this.#parts, show, mode, port);
    show.views.add(view);
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
    return this.#showOf(await this.#parts.browsers.use(projectId, browserId)).handoff;
  }

  #showOf(running: Running): Show {
    const known = this.#shows.get(running.id);
    if (known?.running === running) return known;
    const { events, log, hold } = this.#parts;
    const show: Show = {
      running,
      stage: new Stage(running, log),
      handoff: new Handoff(running, events, () => hold(running)),
      views: new Set(),
    };
    this.#shows.set(running.id, show);
    const forget = () => {
      if (this.#shows.get(running.id) === show) this.#shows.delete(running.id);
    };
    running.left.addEventListener('abort', forget, { once: true });
    return show;
  }
}
