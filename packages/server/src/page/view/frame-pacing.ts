/**
 * When Chromium is told that a frame was taken. It sends up to three that were not acknowledged, and drops every other until
 * one of them is. So each frame is acknowledged, one after the other, at the pace that pictures are wanted at:
 *
 *   Chromium ──frame──frame──frame──> |         the next one is drawn while the last is on its way
 *            <──────ack───33 ms───ack─┘         none while all viewers are behind
 *
 * With one at a time the time of drawing, encoding and sending would come on top of each pause. After a while without
 * changes all three are free, so the first change is sent at once.
 *
 * A frame that Chromium dropped is never sent later. Where the three were used up, or frames came one after the other (how
 * many are on their way on a busy machine is Chromium's secret), and then nothing more came, the picture may not be the last
 * one: the screencast is begun anew, which sends it.
 */
export interface PacingParts {
  /** Between two acknowledgements. */
  shortestMs: number;
  /** Whether a viewer can take another frame. */
  isWanted(): boolean;
  ack(castId: number): void;
  /** Begins the screencast anew. */
  restart(): void;
}

/** Of Chromium: kMaxScreencastFramesInFlight, which it goes past by one. */
const mostInFlight = 3;
/** A page whose frames come closer together is moving. */
const movingMs = 100;
/** Without a frame for so long, a page that was moving stands still. */
const stillMs = 120;

export class FramePacing {
  readonly #parts: PacingParts;
  readonly #owed: number[] = [];
  /** When the last acknowledgement was due. */
  #last = 0;
  /** Frames that came close together. */
  #inRow = 0;
  #cameAt = Number.NEGATIVE_INFINITY;
  /** What comes right after a new beginning is its answer, and no movement. */
  #begunAt = Number.NEGATIVE_INFINITY;
  #mayHaveLost = false;
  #timer: NodeJS.Timeout | undefined;
  #still: NodeJS.Timeout | undefined;

  constructor(parts: PacingParts) {
    this.#parts = parts;
  }

  came(castId: number): void {
    // Of a screencast that was begun anew since.
    if (this.#owed.some((owed) => owed !== castId)) this.#owed.length = 0;
    this.#owed.push(castId);
    const now = performance.now();
    const isNext = now - this.#cameAt < movingMs && now - this.#begunAt > movingMs;
    this.#inRow = isNext ? this.#inRow + 1 : 1;
    this.#cameAt = now;
    this.#mayHaveLost = this.#inRow >= mostInFlight || this.#owed.length >= mostInFlight;
    clearTimeout(this.#still);
    this.goOn();
  }

  /** A viewer may have become ready. */
  goOn(): void {
    if (this.#timer || this.#owed.length === 0 || !this.#parts.isWanted()) return;
    const wait = this.#last + this.#parts.shortestMs - performance.now();
    if (wait <= 0) this.#ack();
    else
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        // Those that could take one may have left meanwhile.
        if (this.#parts.isWanted()) this.#ack();
      }, wait).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#still);
    this.#timer = undefined;
    this.#owed.length = 0;
    this.#mayHaveLost = false;
  }

  #ack(): void {
    const castId = this.#owed.shift();
    if (castId === undefined) return;
    const { shortestMs, ack, restart } = this.#parts;
    const now = performance.now();
    // Late timers do not add up: the pace is kept as long as it is not a whole step behind.
    this.#last = now - this.#last > 2 * shortestMs ? now : this.#last + shortestMs;
    ack(castId);
    if (this.#owed.length > 0) this.goOn();
    else if (this.#mayHaveLost) {
      clearTimeout(this.#still);
      this.#still = setTimeout(() => {
        this.#mayHaveLost = false;
        this.#begunAt = performance.now();
        restart();
      }, stillMs).unref();
    }
  }
}
