/**
 * What the service asks of a page and what the page gives, in the words of both sides. The service sees nothing else of
 * it. Each program here is a file of this room with these functions, made one script by kit/page-program.ts.
 */
import type { CaptchaType } from '../captcha/schema.ts';
import type { Scraped, ScrapeRequest } from '../read/schema.ts';

export type { DataProgram, Filled } from './data-schema.ts';
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

export interface Asked {
  form: 'markdown' | 'html' | 'text';
  mainContent: boolean;
  selector?: string;
  extract?: ScrapeRequest['extract'];
  include: ScrapeRequest['include'];
  from: number;
  most: number;
  citations: boolean;
  shadow: boolean;
  /** The frames that are part of the text have been read, or are not wanted. */
  framesRead: boolean;
  ms: number;
}

export type Metadata = NonNullable<Scraped['metadata']>;
export type Extras = Pick<Scraped, 'links' | 'headings' | 'forms' | 'images' | 'tables' | 'metadata'>;

/** What a page says besides its text. */
export interface About {
  title: string;
  description: string;
  url: string;
  statusCode?: number;
  extras: Extras;
  data?: Record<string, unknown>;
  facts: Metadata;
}

/** How the text of a page is to be written down. */
export interface Writing extends Pick<Asked, 'form' | 'citations' | 'from' | 'most'> {
  /** Of the page, where only the part that a reader came for is wanted: a heading that repeats it is left out. */
  title?: string;
}

export interface Written {
  content: string;
  /** Of the whole. */
  chars: number;
  next?: number;
}

interface Read extends About {
  /** Addresses that are no page are shown by Chromium in a document of its own making. */
  kind: 'page' | 'json' | 'text' | 'xml' | 'image';
  /** The page was too large to be read whole. */
  cut: boolean;
}

export interface Found extends Read, Written {}

export interface NoSelector {
  badSelector: { path: string[]; selector: string };
}

/** `framesFirst`: the page has frames that are part of its text. */
export type Reading = Found | { framesFirst: true } | { nothing: true } | NoSelector;

/** A page whose text is still to be written. */
export interface Unwritten extends Read {
  /** As its author wrote it; `title` is for readers. */
  pageTitle: string;
  /** Its copy, as JSON. */
  branches: string;
}

/** `here`: only a program in the page itself can read it, or it is so large that it should. */
export type Gathered = Unwritten | { here: true } | { nothing: true } | NoSelector;

/** gather.ts: the document as a copy of what it shows, with its lists and data. */
export interface GatherProgram {
  gather(asked: Asked): Gathered;
}

/** writer.ts: what the copy of another page says. */
export interface WriterProgram {
  write(branches: string, pageTitle: string, writing: Writing): Written;
}

/** scrape.ts: the document as text, lists and data. */
export interface ScrapeProgram {
  scrape(asked: Asked): Reading;
  /** Null where nothing matches. */
  content(asked: Asked): { text: string; cut: boolean } | null;
  /** Whether this element shows a frame that is part of the text, such as a post of another site. */
  isPart(element: never): boolean;
  /** A frame's part of the page around it. */
  frameHtml(shadow: boolean, ms: number): string;
  /** Called before the page around a frame is read, with the element that shows the frame. */
  setFrame(element: never, html: string): void;
}

/** own-html.ts: HTML as it is. */
export interface OwnHtmlProgram {
  /** Of the document, or of the first element that matches. Null: there is none, or it is no CSS selector. */
  ownHtml(selector?: string): { text: string; cut: boolean } | null;
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
  show(mark: string): void;
  /** Nothing where the sample with this mark is not shown any more. */
  clear(mark: string): void;
}

/** elements.ts: what can be selected. */
export interface ElementsProgram {
  /** Things that a person could act on or read, each with a selector that Playwright understands. */
  selectors(): string[];
  /** `bad`: it is no CSS selector. */
  has(selector: string): boolean | 'bad';
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** All lengths are CSS pixels, all places counted from the top left corner of the page. */
export interface Measures {
  /** Device pixels per CSS pixel. */
  scale: number;
  /** What shows at this moment. */
  view: Box;
  page: { width: number; height: number };
  element?: Box;
}

export type Measured =
  | (Omit<Measures, 'element'> & { element?: Box & { moved: boolean } })
  | { wrong: string }
  | { missing: true }
  | { unseen: true };

/** drawing.ts: a document before it is captured. */
export interface DrawingProgram {
  /** 0: not at all. */
  whenFontsAreThere(ms: number): Promise<void>;
  keepFonts(addresses: string[]): Promise<number | undefined>;
  letFontsGo(): void;
  measure(fontsMs: number, selector?: string): Promise<Measured>;
  measureAtOnce(): Measured | undefined;
  boxesOf(selectors: string[], most: number): Box[] | { wrong: string };
  /** Undoes what had to be scrolled to measure an element. */
  scrollBack(): void;
}

/** small-document.ts: the document itself, unless there is too much in it. */
export interface SmallDocumentProgram {
  /** Null: it has more elements. */
  smallDocument(mostElements: number): unknown;
}

/** In the viewport, or why there is none. */
export type ClickPlace = { x: number; y: number } | 'bad' | 'missing' | 'unseen';

/** What one screen of a document is like while it is scrolled through. */
export interface Screen {
  /** There is nothing below it. */
  end: boolean;
  /** A picture on it is being fetched. */
  waits: boolean;
  /** Milliseconds since the last change of the document. */
  stillFor: number;
}

/** staging.ts: what is done to a document for a capture of it. */
export interface StagingProgram {
  dress(rules: string[], hidden: string[], removed: string[]): true | { wrong: string };
  undress(): void;
  matches(selector: string): boolean | 'bad';
  placeToClick(selector: string): ClickPlace;
  showScreen(number: number): void;
  screen(): Screen;
  scrolledBack(): void;
}

export interface CaptchaFound {
  /** Of the element, in the document it was seen in. */
  number: number;
  type: CaptchaType;
  sitekey?: string;
  blocking: boolean;
  /** Tells one response from another; absent while there is none. */
  response?: string;
  /** What the widget itself shows; absent where it does not say. */
  verified?: boolean;
  /** Showing it is enough: the widget has no field of its own. */
  confirmed: boolean;
  /** The field of an image has text in it. */
  typed: boolean;
  working: boolean;
  /** It may clear without any input. */
  automatic: boolean;
  invisible: boolean;
  clickable: boolean;
  inForm: boolean;
  problem?: string;
  frameUrl?: string;
  seen: string[];
  callback?: string;
  action?: string;
  hasField: boolean;
}

export interface CaptchaLook {
  ready: boolean;
  frames: number;
  /** Something in the document shows success. */
  verified: boolean;
  items: CaptchaFound[];
}

/** captcha/captcha.ts: finds captchas, and acts on those it has found, by their numbers. Places count from the corner of the frame. */
export interface CaptchaProgram {
  look(): CaptchaLook;
  target(number: number): (Box & { atLeft: boolean }) | undefined;
  picture(number: number): Box | undefined;
  clear(number: number): void;
  /** Writes into every field of these names that the widget has, and gives how many there were. */
  answer(number: number, names: string[], value: string): number;
  /** As `response` would be for this answer. */
  mark(answer: string): string;
  /** The element itself. */
  root(number: number): unknown;
}

/** clipboard.ts: copying and pasting, in the document that has the focus. */
export interface ClipboardProgram {
  /** The element of the frame that has the focus; null where the document itself has it. */
  focusedFrame(): unknown;
  expectCopy(how: 'copy' | 'cut', ms: number, most: number): Promise<string>;
  /** Whether the page took it itself. */
  paste(text: string): boolean;
}

/** captcha/page-callback.ts: in the page's own world. */
export interface PageCallbackProgram {
  /** Calls the function that the page gave to the widget; false when there is none. */
  tellPage(answer: string, name: string | null): boolean;
}

/** A control whose list or dialog Chromium draws outside the page. Values are those of its `type`. */
export type ControlKind =
  | 'select'
  | 'date'
  | 'time'
  | 'datetime-local'
  | 'month'
  | 'week'
  | 'color'
  | 'suggestions';

export interface ControlOption {
  /** In `select.options`, or in the list of suggestions. */
  index: number;
  text: string;
  selected?: boolean;
  disabled?: boolean;
  /** Of `groups`. */
  group?: number;
}

export interface ControlFacts {
  /** Of the control, in the document it is in. */
  number: number;
  kind: ControlKind;
  /** What a reader calls it. */
  label: string;
  /** Chromium shows something of its own for it now, which is in no picture. */
  shown: boolean;
  value: string;
  required: boolean;
  min?: string;
  max?: string;
  step?: string;
  multiple?: boolean;
  options?: ControlOption[];
  groups?: string[];
  /** It has more options than are told. */
  cut?: boolean;
}

/** Something in a closed shadow tree was pressed. */
export interface HiddenTarget {
  /** The number of the element that has the tree. */
  host: number;
  /** The place of the press, from the corner of that element. */
  dx: number;
  dy: number;
}

export interface FileFacts {
  label: string;
  accept: string;
  multiple: boolean;
  /** It takes a folder. */
  directory: boolean;
}

export type Aim = 'ArrowDown' | 'ArrowUp' | 'done' | null;

/** controls/controls.ts: tells which control a person has opened, and sets what the person chose. */
export interface ControlsProgram {
  /** Listens from now on. */
  begin(): void;
  /** Resolves when a control is opened; null when nothing is listened to any more. */
  next(): Promise<ControlFacts | HiddenTarget | null>;
  /** Whether this element of a closed shadow tree was opened; `next` tells of it then. */
  within(element: never): boolean;
  end(): void;
  element(number: number): unknown;
  /** Whether Chromium has closed what it showed for the control. */
  shut(number: number): Promise<boolean>;
  /**
   * One option of a select, by way of a key that Chromium takes for a person's: which key is to be pressed, of which the page
   * does not hear. `done`: none is needed. Null: the option cannot be chosen.
   */
  aim(number: number, index: number): Aim;
  /** After the key: whether the option is chosen now. */
  chosen(number: number, index: number): boolean;
  /** All options of a select at once; false: it is gone. */
  choose(number: number, indexes: number[]): boolean;
  /** False: the control did not take the value. */
  write(number: number, value: string): boolean;
  /** Selects what is in a text field, so that what is typed next takes its place. */
  selectText(number: number): boolean;
  /** The text that a suggestion stands for. */
  suggestion(number: number, index: number): string | undefined;
  file(input: never): FileFacts | null;
  /** The person has chosen no file. */
  fileCancelled(input: never): void;
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
