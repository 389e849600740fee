/** What the service asks of a page that is used like a screen, by places, and what the page gives. */
/** As a reader would name it. */
export interface HitThing {
  tag: string;
  role?: string;
  name?: string;
}

export interface HitFacts extends HitThing {
  editable: boolean;
  disabled?: boolean;
  /** What lies below, can be operated, and is not reached. */
  covers?: HitThing;
  /** A press opens something that Chromium draws outside the page. */
  opens?: boolean;
  /** It is a frame: the corner of its document. */
  inFrame?: { x: number; y: number };
}

/** hit.ts: what lies at a place of the viewport. */
export interface HitProgram {
  at(x: number, y: number): HitFacts | null;
  /** The element of the frame at this place. */
  frameAt(x: number, y: number): unknown;
}

/** stir.ts: whether a document moves, and what shows of it. */
export interface StirProgram {
  /** Counts from now on. */
  begin(): void;
  since(): { changes: number; quietMs: number; loading: boolean };
  end(): void;
  view(): { width: number; height: number; left: number; top: number };
}
