/**
 * What the service asks of a page and what the page gives, in the words of both sides. The service sees nothing else of
 * it. Each program here is a file of this room with these functions, made one script by kit/page-program.ts.
 */
export type { CaptchaFound, CaptchaLook, CaptchaProgram, PageCallbackProgram } from './captcha-words.ts';
export type {
  Box,
  ClickPlace,
  DrawingProgram,
  Measured,
  Measures,
  Screen,
  StagingProgram,
} from './capture-words.ts';
export type {
  Aim,
  ControlFacts,
  ControlKind,
  ControlOption,
  ControlsProgram,
  FileFacts,
  HiddenTarget,
} from './control-words.ts';
export type { DataProgram, Filled } from './data-schema.ts';
export type {
  About,
  Asked,
  Extras,
  Found,
  Gathered,
  GatherProgram,
  Metadata,
  NoSelector,
  Reading,
  ScrapeProgram,
  Unwritten,
  WriterProgram,
  Writing,
  Written,
} from './reading-words.ts';
export type { HitFacts, HitProgram, HitThing, StirProgram } from './screen-words.ts';
export type {
  FrameBox,
  ObserveProgram,
  ReadAnswer,
  ReadAsked,
  ReadDocument,
  RefAt,
  SeenNode,
  SeenPage,
} from './seen-words.ts';

/** own-html.ts: HTML as it is. */
export interface OwnHtmlProgram {
  /** Of the document, or of the first element that matches. Null: there is none, or it is no CSS selector. */
  ownHtml(selector?: string): { text: string; cut: boolean } | null;
}

/** small-document.ts: the document itself, unless there is too much in it. */
export interface SmallDocumentProgram {
  /** Null: it has more elements. */
  smallDocument(mostElements: number): unknown;
}

export interface Onward {
  /** Addresses of the web, in the order of the page. */
  links: string[];
  /** There were more. */
  cut: boolean;
  /** The address that the page wants to be known by. */
  canonical?: string;
  /** It asks crawlers not to follow its links. */
  nofollow: boolean;
}

/** onward.ts: where a document leads. */
export interface OnwardProgram {
  /** The name of the crawler, as a page may address it. */
  onward(crawler: string): Onward;
}

/** What became of a PDF that was given to a page. */
export type PdfOutcome = 'read' | 'encrypted' | 'broken';

/** pdf.ts: an empty document becomes the text of a PDF. */
export interface PdfProgram {
  add(base64: string): void;
  read(ms: number): Promise<PdfOutcome>;
}

/** settling.ts: whether a document still grows. */
export interface SettlingProgram {
  /** From now on added text is counted. Whether the document has scripts, and how much text it has already. */
  watch(): { scripts: boolean; plain: boolean; lazy: boolean; text: number };
  /** Characters added since. */
  grown(): number;
  /** Resolves when the page has been drawn as it is now, at the latest after so long: one behind another is not drawn. */
  drawn(mostMs?: number): Promise<void>;
  /** As if it had never been watched. */
  forget(): void;
  /** Nothing in it acts or asks. */
  isPlain(): boolean;
  /**
   * Waits for the sheets that a parsed document names, where nothing else in it acts. True: it has all the text that it will ever
   * have. Pictures may still be on their way.
   */
  isWritten(): Promise<boolean>;
  /** Whether the page was scrolled down and back, and the characters added before that. */
  scrollThrough(): Promise<{ scrolled: boolean; grown: number }>;
}

/** rehearsal.ts: what a page that is made ahead is practised on. */
export interface RehearsalProgram {
  show(): void;
  clear(): void;
}

/** elements.ts: what can be selected. */
export interface ElementsProgram {
  /** Things that a person could act on or read, each with a selector that Playwright understands. */
  selectors(): string[];
  /** `bad`: it is no CSS selector. */
  has(selector: string): boolean | 'bad';
}

/** clipboard.ts: copying and pasting, in the document that has the focus. */
export interface ClipboardProgram {
  /** The element of the frame that has the focus; null where the document itself has it. */
  focusedFrame(): unknown;
  expectCopy(how: 'copy' | 'cut', ms: number, most: number): Promise<string>;
  /** Whether the page took it itself. */
  paste(text: string): boolean;
}

/** What stands in the way of typing into the field that has the focus, and whose document it is in. */
export interface SecretField {
  /** As the browser knows it. */
  origin: string;
  problem?: 'nothing' | 'no field' | 'hidden' | 'disabled' | 'read-only' | 'gone';
}

/** secret-field.ts: types a secret into the field that has the focus. */
export interface SecretFieldProgram {
  /** The element that has the focus; null where nothing has it. */
  focused(): unknown;
  look(element: never): SecretField;
  typeInto(element: never, origins: readonly string[], text: string): SecretField;
}
