/** Controls of which Chromium draws a part outside the page, so that a viewer can operate them. */

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
