/** What the service and the program that declines banners say to each other. The page around it hears none of it. */

/**
 * `waiting`: the document is not there yet. `looking`: whether it shows a banner is not known yet. `busy`: it shows one, which
 * is being declined. `idle`: none that is known of.
 */
export type BannerState = 'waiting' | 'looking' | 'busy' | 'idle';

/** A banner, by the name that the library has for its maker, and what became of it. */
export interface Dealt {
  maker: string;
  declined: boolean;
  /** It has no way to decline: it was hidden. */
  hidden: boolean;
}

/** A snippet of the library, by its name, that is to run in the page's own world. */
export interface Question {
  id: string;
  snippet: string;
}

export interface Report {
  state: BannerState;
  questions: Question[];
  /** Since the last report. */
  dealt: Dealt[];
  /** Nothing more will come of this document. */
  over: boolean;
}

export interface Answer {
  id: string;
  result: boolean;
}

/** decline.ts: looks for cookie banners in its document and declines them. */
export interface DeclineProgram {
  /** Both are rules of the library, as JSON: those for pages, and those for the frames in them. */
  begin(forPages: string, forFrames: string): void;
  /** Resolves when there is something to report. A document has one listener: the next one takes its place. */
  exchange(answers: readonly Answer[]): Promise<Report>;
  /** What it finds from now on stays, until it is begun again. */
  stop(): void;
}
