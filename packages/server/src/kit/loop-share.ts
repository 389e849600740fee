/**
 * One event loop serves all projects, and bytes come in as fast as pages, scripts and clients send them. So each project
 * has a share of every turn of the loop. What its Chromiums, runners and sockets send is handled at once while the project
 * has time left in this turn; past that the source is not read, its work waits in line, and each turn serves the lines of all
 * projects, one after another, for a few milliseconds. A project that stays within its share never waits in line, and a
 * loop that has nothing else to do gives all its time to the line.
 *
 * An answer takes many turns, each of which would wait for the lines. So while a call of a project that has no line is
 * answered, the lines of others are not served: for its first quarter of a second, and half of the time at most.
 *
 *   chunk ──> share has time? ──yes──> handled                    one turn of the loop:  others' work · line A · line B
 *                  └──no──> source paused ──> line of the project ─────────────────────────────────────┘
 */
import type { Readable } from 'node:stream';
import { StandingTime } from './standing-time.ts';
import { UnmeasuredTime } from './unmeasured-time.ts';

/** What a project may use of one turn before its sources wait in line. */
const shareMs = 2;
/** What all lines together get of one turn. */
const linesMs = 4;
/** For so long a call goes before the lines of other projects; for so long after its line was empty a project counts as crowded. */
const callMs = 250;

export class Share {
  #usedMs = 0;
  /** Of all turns. */
  #spentMs = 0;
  #inLineAt = Number.NEGATIVE_INFINITY;
  readonly #line: (() => void)[] = [];
  #serving = false;

  /** The project has used up its time of this turn, or has work in line already. */
  get isOver(): boolean {
    return this.#usedMs >= shareMs || (this.#line.length > 0 && !this.#serving);
  }

  /** Loop time that was used for the project, as it was measured. */
  spend(ms: number): void {
    this.#spentMs += ms;
    unmeasured.measured(ms);
    this.#use(ms);
  }

  /** Does the work and counts the loop time it took, without what was counted within it. */
  charge(work: () => void): void {
    const [began, before] = [performance.now(), this.#spentMs];
    try {
      work();
    } finally {
      this.spend(performance.now() - began - (this.#spentMs - before));
    }
  }

  /** Loop time that something will probably take. */
  estimate(ms: number): void {
    this.#use(unmeasured.estimated(this, ms));
  }

  #use(ms: number): void {
    this.#usedMs += ms;
    note(this);
  }

  /** Calls back when it is the project's turn: first come, first served. */
  wait(goOn: () => void): void {
    this.#line.push(goOn);
    this.#inLineAt = performance.now();
    note(this);
  }

  /** Resolves when the project has time; for work whose cost is known only roughly. */
  async turn(aboutMs: number): Promise<void> {
    if (!this.isOver) return this.estimate(aboutMs);
    await new Promise<void>((resolve) => {
      this.wait(() => {
        this.estimate(aboutMs);
        resolve();
      });
    });
  }

  /** @internal It has a line, or had one a moment ago. */
  isCrowded(now: number): boolean {
    return this.#line.length > 0 || now - this.#inLineAt < callMs;
  }

  /** @internal A new turn has begun. True: it has work in line. */
  renew(): boolean {
    this.#usedMs = 0;
    return this.#line.length > 0;
  }

  /** @internal Serves its line until its time is used up, or that of all lines. */
  serve(until: number): void {
    this.#serving = true;
    try {
      while (this.#line.length > 0 && this.#usedMs < shareMs && performance.now() < until)
        this.#line.shift()?.();
    } finally {
      this.#serving = false;
    }
  }
}

const unmeasured = new UnmeasuredTime<Share>();
const shares = new Map<string, Share>();
/** Those that used time in this turn or have work in line, in the order in which they are served. */
let busy = new Set<Share>();
/** Those that stand still while a call of another is answered; their time is not renewed meanwhile. */
let held = new Set<Share>();
/** Calls in their first quarter of a second. */
const calls = new Map<object, Share>();
const standing = new StandingTime();
let untilRelease: NodeJS.Timeout | undefined;
let turnEnds = false;

/** Of a project, for the whole process: there is one loop. */
export function shareOf(projectId: string): Share {
  const known = shares.get(projectId);
  if (known) return known;
  const share = new Share();
  shares.set(projectId, share);
  return share;
}

/** What belongs to no project, such as a Chromium that waits to be taken: other calls depend on it. */
const ofService = shareOf('');

/** A call of the project begins, which goes before the lines of others; disposed of when it is answered. */
export function goBeforeLines(projectId: string): Disposable {
  const call = {};
  calls.set(call, shareOf(projectId));
  const end = (): void => {
    clearTimeout(late);
    if (calls.delete(call) && standing.stands && !isCalmCalling(performance.now())) release();
  };
  const late = setTimeout(end, callMs);
  late.unref();
  return { [Symbol.dispose]: end };
}

/** The lines of other projects wait only for calls of projects that are not crowded. */
const isCalmCalling = (now: number): boolean => [...calls.values()].some((share) => !share.isCrowded(now));

function note(share: Share): void {
  if (held.has(share)) return;
  busy.add(share);
  if (turnEnds) return;
  turnEnds = true;
  setImmediate(endTurn);
}

function endTurn(): void {
  turnEnds = false;
  unmeasured.look();
  hold();
  const waiting = [...busy].filter((share) => share.renew());
  busy = new Set(waiting);
  const until = performance.now() + linesMs;
  for (const share of waiting) {
    if (performance.now() >= until) break;
    share.serve(until);
    // Behind the others in the next turn.
    busy.delete(share);
    note(share);
  }
  for (const share of busy) note(share);
}

/** Takes those whose lines must stand out of this turn. */
function hold(): void {
  if (calls.size === 0) return;
  const now = performance.now();
  if (!isCalmCalling(now)) return;
  const crowded = [...busy].filter((share) => share !== ofService && share.isCrowded(now));
  if (crowded.length === 0) return;
  if (!standing.stands) {
    const leftMs = standing.begin();
    if (leftMs === 0) return;
    untilRelease = setTimeout(release, leftMs);
  }
  for (const share of crowded) {
    busy.delete(share);
    held.add(share);
  }
}

function release(): void {
  clearTimeout(untilRelease);
  standing.end();
  const released = held;
  held = new Set();
  for (const share of released) note(share);
}

/** Work whose steps are short, done within a share. */
export async function inSteps<T>(share: Share, steps: Iterator<unknown, T>): Promise<T> {
  for (;;) {
    await share.turn(0);
    const began = performance.now();
    const { done, value } = steps.next();
    share.spend(performance.now() - began);
    if (done) return value;
  }
}

/** Handles one piece (a message, a frame) of a chunk at each step; a promise: nothing more before it is settled. */
export type Pieces = Iterator<void | Promise<void>, void>;

export interface InTurns {
  share(): Share;
  read(chunk: Buffer): Pieces;
  /** Called once with what `read` threw; nothing is read after that. */
  onFault(error: Error): void;
}

/** Reads a stream piece by piece, and not at all while its project is over its share. */
export function readInTurns(stream: Readable, options: InTurns): void {
  let pieces: Pieces | undefined;
  let faulty = false;
  /** Handles what the share has time for; the return value is what is waited for otherwise. */
  const handle = (share: Share): Promise<void> | undefined => {
    for (let last = performance.now(); pieces; ) {
      const { done, value } = pieces.next();
      if (done) pieces = undefined;
      const now = performance.now();
      share.spend(now - last);
      last = now;
      if (value) return value;
      if (share.isOver) break;
    }
    return undefined;
  };
  const goOn = (): void => {
    const share = options.share();
    try {
      const until = handle(share);
      if (until) void until.catch(() => undefined).then(() => (share.isOver ? share.wait(goOn) : goOn()));
      else if (pieces) share.wait(goOn);
      else if (stream.isPaused()) stream.resume();
      else return;
      if (pieces || until) stream.pause();
    } catch (error) {
      faulty = true;
      pieces = undefined;
      options.onFault(error as Error);
    }
  };
  stream.on('data', (chunk: Buffer) => {
    if (faulty) return;
    pieces = options.read(chunk);
    const share = options.share();
    if (!share.isOver) goOn();
    else {
      stream.pause();
      share.wait(goOn);
    }
  });
}
