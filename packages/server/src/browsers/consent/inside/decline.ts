/**
 * Looks for cookie banners and declines them, by the rules of a library. It runs in an isolated world of every document: pages
 * see what it presses, as they see a visitor, and nothing else of it. What has to be asked in the page's own world the
 * service asks; it comes for the news, so that a page that keeps this program busy decides nothing about the service's time.
 */
import type { Answer, BannerState, Dealt, News, Question } from './inside.ts';

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

let decliner: Decliner | undefined;
let state: BannerState = 'waiting';
let questions: Question[] = [];
let dealt: Dealt[] = [];
let over = false;
let isStopped = false;
/** Makers of banners whose traces are in the document. */
let found = 0;
let isNew = false;
let listener: ((news: News) => void) | undefined;

function tell(now: BannerState): void {
  state = now;
  tellSoon();
}

/** What comes in one turn is told at once. */
function tellSoon(): void {
  isNew = true;
  queueMicrotask(tellNow);
}

function tellNow(): void {
  if (!listener || !isNew) return;
  const take = listener;
  const news = { state, questions, dealt, over };
  listener = undefined;
  isNew = false;
  questions = [];
  dealt = [];
  take(news);
}

class Decliner extends library.default {
  /** Makers that were found, and of which it is not known yet whether they show a banner. */
  #unseen = 0;
  #dealing = 0;
  #finished = false;

  constructor() {
    super(async (message) => {
      if (message.type === 'cmpDetected') found++;
      if (message.type !== 'eval' || !message.snippetId) return;
      questions.push({ id: message.id, snippet: message.snippetId });
      tellSoon();
    });
  }

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
    if (found === 0 && state === 'looking') tell('idle');
  }

  override waitForPopup(banner: Banner, left = looks, interval = lookEveryMs): Promise<boolean> {
    if (left === looks) this.#unseen++;
    else if (left === looks - 1 && --this.#unseen === 0 && state === 'looking') tell('idle');
    return super.waitForPopup(banner, left, interval);
  }

  override async handlePopup(banner: Banner): Promise<boolean> {
    if (isStopped) return false;
    this.#dealing++;
    tell('busy');
    try {
      const declined = await super.handlePopup(banner).catch(() => false);
      if (!declined || !banner.isIntermediate)
        dealt.push({ maker: banner.name, declined, hidden: declined && banner.isCosmetic });
      tellSoon();
      if (declined) await this.#faded(banner);
      return declined;
    } finally {
      this.#dealing--;
      if (this.#dealing === 0) tell('idle');
      this.#endIfDone();
    }
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

  #endIfDone(): void {
    over = this.#finished && this.#dealing === 0;
    if (over) tell('idle');
  }
}

export function begin(forPages: string, forFrames: string): void {
  isStopped = false;
  if (decliner || !/^https?:$/.test(location.protocol)) return;
  const mainFrame = window.top === window;
  const compact = library.filterCompactRules(JSON.parse(mainFrame ? forPages : forFrames), {
    url: location.href,
    mainFrame,
  });
  decliner = new Decliner();
  decliner.initialize(settings, { autoconsent: [], compact });
}

export function exchange(answers: readonly Answer[]): Promise<News> {
  for (const answer of answers) void decliner?.receiveMessageCallback({ type: 'evalResp', ...answer });
  listener?.({ state, questions: [], dealt: [], over: true });
  listener = undefined;
  if (!decliner || (over && !isNew))
    return Promise.resolve({ state: 'idle', questions: [], dealt: [], over: true });
  return new Promise((resolve) => {
    listener = resolve;
    queueMicrotask(tellNow);
  });
}

export function stop(): void {
  isStopped = true;
}
