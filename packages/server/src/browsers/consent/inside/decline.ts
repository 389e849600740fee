/**
 * Looks for cookie banners and declines them, by the rules of a library. It runs in an isolated world of every document: pages
 * see what it presses, as they see a visitor, and nothing else of it. What has to be asked in the page's own world the
 * service asks; it fetches the reports, so that a page that keeps this program busy decides nothing about the service's time.
 */
import type { Answer, BannerState, Report } from './inside.ts';

declare const library: typeof import('@duckduckgo/autoconsent', { with: { 'resolution-mode': 'require' }});

type Banner = NonNullable<InstanceType<typeof library.default>['foundCmp']>;

/**
 * Nothing is hidden on suspicion (`enablePrehide`): a page without a banner stays as it is. A banner that no rule knows is
 * recognised by its words, and only if it has a button that declines.
 */
const settings = {
  autoAction: 'optOut',
  enablePrehide: false,
  heuristicMode: 'reject',
  logs: {
    lifecycle: false,
    rulesteps: false,
    detectionsteps: false,
    evals: false,
    errors: false,
    messages: false,
    waits: false,
  },
} as const;

/** How often the library looks whether a banner shows, and how long it waits in between. */
const looks = 10;
const lookEveryMs = 500;
/** A banner that was declined may fade away. */
const fadingMs = 1000;
const fadedEveryMs = 100;

const ending = (): Report => ({ state: 'idle', questions: [], dealt: [], over: true });
const beginning = (): Report => ({ state: 'waiting', questions: [], dealt: [], over: false });

let rules = { forPages: '', forFrames: '' };
let decliner: Decliner | undefined;
let isStopped = false;
let report = beginning();
let isNew = false;
let listener: ((report: Report) => void) | undefined;

/** What comes in one turn is told at once. */
function tell(state: BannerState = report.state): void {
  report.state = state;
  isNew = true;
  queueMicrotask(tellNow);
}

function tellNow(): void {
  if (!listener || !isNew) return;
  const take = listener;
  const told = report;
  listener = undefined;
  isNew = false;
  report = { ...told, questions: [], dealt: [] };
  take(told);
}

class Decliner extends library.default {
  /** Makers whose traces are in the document, and those of which it is not known yet whether they show a banner. */
  found = 0;
  #unseen = 0;
  #dealing = 0;
  #finished = false;

  override start(): void {
    tell('looking');
    super.start();
  }

  override async _start(): Promise<boolean> {
    try {
      return await super._start();
    } catch {
      return false;
    } finally {
      this.#finished = true;
      this.#endIfDone();
    }
  }

  /** The library calls it at the end of each round of looking. */
  override detectHeuristics(): void {
    super.detectHeuristics();
    if (this.found === 0) this.#seeNone();
  }

  override waitForPopup(banner: Banner, left = looks, interval = lookEveryMs): Promise<boolean> {
    if (left === looks) this.#unseen++;
    else if (left === looks - 1 && --this.#unseen === 0) this.#seeNone();
    return super.waitForPopup(banner, left, interval);
  }

  override async handlePopup(banner: Banner): Promise<boolean> {
    if (decliner !== this) return false;
    this.#dealing++;
    tell('busy');
    const declined = await super.handlePopup(banner).catch(() => false);
    if (decliner !== this) return declined;
    if (!declined || !banner.isIntermediate)
      report.dealt.push({ maker: banner.name, declined, hidden: declined && banner.isCosmetic });
    tell();
    if (declined) await this.#faded(banner);
    this.#dealing--;
    if (this.#dealing === 0 && decliner === this) tell('idle');
    this.#endIfDone();
    return declined;
  }

  async #faded(banner: Banner): Promise<void> {
    const end = performance.now() + fadingMs;
    const tooLong = this.domActions.wait(fadingMs);
    while (
      performance.now() < end &&
      (await Promise.race([banner.detectPopup().catch(() => false), tooLong]))
    )
      await this.domActions.wait(fadedEveryMs);
  }

  #seeNone(): void {
    if (decliner === this && report.state === 'looking') tell('idle');
  }

  #endIfDone(): void {
    if (decliner !== this || !this.#finished || this.#dealing > 0) return;
    report.over = true;
    tell('idle');
  }
}

export function begin(forPages: string, forFrames: string): void {
  rules = { forPages, forFrames };
  isStopped = false;
  declineHere();
}

export function stop(): void {
  isStopped = true;
  decliner = undefined;
}

export function exchange(answers: readonly Answer[]): Promise<Report> {
  declineHere();
  for (const answer of answers) void decliner?.receiveMessageCallback({ type: 'evalResp', ...answer });
  listener?.(ending());
  listener = undefined;
  if (!decliner || (report.over && !isNew)) return Promise.resolve(ending());
  return new Promise((resolve) => {
    listener = resolve;
    queueMicrotask(tellNow);
  });
}

/** Also when the service fetches a report: a window may have been an empty one first, which becomes that of the page. */
function declineHere(): void {
  if (decliner || isStopped || !/^https?:$/.test(location.protocol)) return;
  const mainFrame = window.top === window;
  const all = JSON.parse(mainFrame ? rules.forPages : rules.forFrames);
  const compact = library.filterCompactRules(all, { url: location.href, mainFrame });
  report = beginning();
  const begun = new Decliner(async (message) => {
    if (message.type === 'cmpDetected') begun.found++;
    if (message.type !== 'eval' || !message.snippetId) return;
    report.questions.push({ id: message.id, snippet: message.snippetId });
    tell();
  });
  decliner = begun;
  begun.initialize(settings, { autoconsent: [], compact });
}
