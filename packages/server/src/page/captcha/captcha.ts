/**
 * The captchas of pages: looked for and solved when a caller asks, never in the background.
 *
 *   look into every frame ──> sightings ──> solvers in their order ──> look again: only what the page shows counts
 */
import type { BrowsersOnNode, Running } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import type { Events } from '../../events/events.ts';
import type { SolverName } from '../../kit/captcha-solvers.ts';
import { iso } from '../../kit/clock.ts';
import {
  dialogOpen,
  type PageTarget,
  pageCrashed,
  tabOf,
  targetOf,
  unlessItEnds,
  useBrowser,
} from '../reach/reach.ts';
import { TabMemory } from './memory.ts';
import { itemOf, type Resolved, type ResolveOptions, resolveAll } from './resolve.ts';
import type { CaptchaItem, CaptchaState, Captchas as CaptchasView, ResolveCaptcha } from './schema.ts';
import { sightingsOn } from './sight.ts';
import {
  humanSolver,
  type Invitation,
  type Invite,
  imageSolver,
  Ocr,
  ProviderClient,
  type ProviderSettings,
  providerSolver,
  waitSolver,
  widgetSolver,
} from './solvers/solvers.ts';
import type { Solver } from './task.ts';

export type { Invitation } from './solvers/solvers.ts';

export interface CaptchasParts {
  browsers: Pick<BrowsersOnNode, 'use'>;
  events: Pick<Events, 'note'>;
  /** In the order in which they are tried. */
  solvers: readonly SolverName[];
  provider?: ProviderSettings;
}

/** The caller that wants a captcha solved. */
export interface SolveCaller {
  /** It has hung up. */
  gone: AbortSignal;
  /** Makes an address, in its name, under which a person can see and use the browser. */
  invite?(): Promise<Invitation>;
}

export class Captchas {
  readonly #parts: CaptchasParts;
  readonly #ocr = new Ocr();
  readonly #provider: ProviderClient | undefined;
  readonly #memories = new WeakMap<Running, Map<string, TabMemory>>();

  constructor(parts: CaptchasParts) {
    this.#parts = parts;
    this.#provider = parts.provider && new ProviderClient(parts.provider);
  }

  /** What the tab shows now. */
  show(projectId: string, id: string, asked: { tabId?: string }, gone: AbortSignal): Promise<CaptchasView> {
    return useBrowser(this.#parts.browsers, [projectId, id], gone, async (running) =>
      this.#see(running, await tabOf(running, asked.tabId)),
    );
  }

  /** For a status that is asked for anyway: one look, and nothing where the page does not answer. */
  async stateOf(running: Running, tabId: string): Promise<CaptchaState> {
    const seen = await this.#see(running, tabId).catch(() => undefined);
    return seen?.state ?? 'none';
  }

  resolve(
    projectId: string,
    id: string,
    asked: ResolveCaptcha,
    { gone, invite }: SolveCaller,
  ): Promise<CaptchasView> {
    return useBrowser(this.#parts.browsers, [projectId, id], gone, async (running, signal) => {
      const tabId = await tabOf(running, asked.tabId);
      const memory = this.#memoryOf(running, tabId);
      if (memory.solving) throw alreadySolving(tabId);
      memory.solving = true;
      try {
        const page = await targetOf(running, tabId);
        const solvers = this.#solvers(asked.solver, invite && this.#inviteTo(running, tabId, invite));
        const recall: ResolveOptions['recall'] = (sighting) => memory.recall(sighting);
        const { timeoutMs } = asked;
        const resolved = await resolveOn(page, { solvers, timeoutMs, tabId, recall }, signal);
        memory.solving = false;
        return memory.settle(resolved);
      } finally {
        memory.solving = false;
      }
    });
  }

  /** On a page without an owner: nothing is remembered, no event is written, and no person is asked in. */
  async resolvePage(page: PageTarget, timeoutMs: number, signal: AbortSignal): Promise<CaptchaItem[]> {
    const options = { solvers: this.#solvers(undefined, undefined), timeoutMs, tabId: page.targetId };
    return (await resolveOn(page, options, signal)).map(({ item }) => item);
  }

  close(): Promise<void> {
    return this.#ocr.close();
  }

  async #see(running: Running, tabId: string): Promise<CaptchasView> {
    const page = await targetOf(running, tabId);
    refuseBlocked(page);
    return this.#memoryOf(running, tabId).see(await unlessItEnds(page, () => sightingsOn(page)));
  }

  #solvers(only: SolverName | undefined, invite: Invite | undefined): Solver[] {
    const all: Record<SolverName, Solver> = {
      wait: waitSolver,
      widget: widgetSolver,
      image: imageSolver(this.#ocr),
      provider: providerSolver(this.#provider),
      human: humanSolver(invite),
    };
    return (only ? [only] : this.#parts.solvers).map((name) => all[name]);
  }

  #inviteTo(running: Running, tabId: string, invite: () => Promise<Invitation>): Invite {
    return async (sighting) => {
      const invitation = await invite();
      const item = itemOf(sighting, tabId, iso(Date.now()));
      this.#note(running, 'captcha.needs_human', { ...summary(item), ...invitation });
      return invitation;
    };
  }

  #memoryOf(running: Running, tabId: string): TabMemory {
    const tabs = this.#memories.get(running) ?? new Map<string, TabMemory>();
    this.#memories.set(running, tabs);
    for (const known of tabs.keys()) if (!running.live.tabs.targetOf(known)) tabs.delete(known);
    const memory =
      tabs.get(tabId) ??
      new TabMemory(tabId, (change, item) => this.#note(running, `captcha.${change}`, summary(item)));
    tabs.set(tabId, memory);
    return memory;
  }

  #note(
    { id: browserId, projectId }: Running,
    type: 'captcha.detected' | 'captcha.solved' | 'captcha.failed' | 'captcha.needs_human',
    data: Record<string, unknown>,
  ): void {
    this.#parts.events.note({ type, browserId, projectId, at: Date.now(), data });
  }
}

/** The captchas that a page shows. */
export async function detectCaptchas(page: PageTarget, tabId = page.targetId): Promise<CaptchaItem[]> {
  const at = iso(Date.now());
  return (await sightingsOn(page)).map((sighting) => itemOf(sighting, tabId, at));
}

/** Ends with the page: a solver that waits for a page that has gone would wait to the end of its time. */
async function resolveOn(
  page: PageTarget,
  options: ResolveOptions,
  signal: AbortSignal,
): Promise<Resolved[]> {
  refuseBlocked(page);
  const over = new AbortController();
  try {
    return await unlessItEnds(page, () => resolveAll(page, options, AbortSignal.any([signal, over.signal])));
  } finally {
    over.abort();
    // What had to come to the front for a click goes back.
    if (page.behind)
      await page.cdp.send('Target.activateTarget', { targetId: page.behind }).catch(() => undefined);
  }
}

function refuseBlocked(page: PageTarget): void {
  if (page.blocker() === 'crashed') throw pageCrashed(page);
  if (page.blocker() === 'dialog') throw dialogOpen();
}

const longest = 2000;

/** Pages choose how long their addresses are. */
const summary = ({ evidence: _, detectedAt: __, pageUrl, sitekey, ...item }: CaptchaItem) => ({
  ...item,
  pageUrl: pageUrl.slice(0, longest),
  sitekey: sitekey?.slice(0, longest),
});

const alreadySolving = (tabId: string): ApiError =>
  new ApiError(
    'CAPTCHA_SOLVING',
    `The captchas of tab ${tabId} are being solved already, for another call. Wait for its answer, or look at GET …/captcha.`,
    { details: { tabId } },
  );
