/** Results go to stdout; everything else goes to stderr, where it does not disturb a pipe. */
import { styleText } from 'node:util';
import { printableJson, severalLines } from './plain-text.ts';
import { type Progress, progressOn } from './progress.ts';
import { type Column, fieldsOf, tableOf } from './table.ts';

export { eventLine } from './event-line.ts';
export { oneLine, printableJson } from './plain-text.ts';
export { bar, counted, type Progress } from './progress.ts';
export type { Column } from './table.ts';
export { ago, ahead, size, span } from './units.ts';

export interface OutputOptions {
  json?: boolean;
  quiet?: boolean;
}

type Style = Parameters<typeof styleText>[0];

export class Output {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly #stdout = process.stdout;
  readonly #stderr = process.stderr;
  #progress: Progress | undefined;

  constructor({ json = false, quiet = false }: OutputOptions) {
    this.json = json;
    this.quiet = quiet;
  }

  /** Whether stdout is a terminal. */
  get onTerminal(): boolean {
    return this.#stdout.isTTY === true;
  }

  /** Whether notes and progress are printed: not with `--quiet`, and not for programs. */
  get showsNotes(): boolean {
    return !this.quiet && !this.json;
  }

  list<Row>(rows: Row[], columns: Column<Row>[], nothing: string): void {
    if (this.json) this.document(rows);
    else if (rows.length === 0) this.note(nothing);
    else {
      const width = this.onTerminal ? this.#stdout.columns || 80 : undefined;
      const [titles = '', ...lines] = tableOf(columns, rows, width);
      this.#print([this.#styled('bold', titles, this.#stdout), ...lines].join('\n'));
    }
  }

  one(value: unknown, fields: Parameters<typeof fieldsOf>[0]): void {
    if (this.json) this.document(value);
    else this.#print(fieldsOf(fields).join('\n'));
  }

  /** Reports that something is done; with `--quiet` only the `id`, for scripts. */
  done(value: unknown, id: string, words: string): void {
    if (this.json) this.document(value);
    else this.#print(severalLines(this.quiet ? id : words));
  }

  document(value: unknown): void {
    this.#print(printableJson(value, this.onTerminal ? 2 : undefined));
  }

  /** Text from outside: unchanged for a program, without control characters on a terminal. */
  text(text: string): void {
    this.#print(this.onTerminal ? severalLines(text) : text);
  }

  /** Lines that this program has written itself. */
  lines(lines: string[]): void {
    this.#print(lines.map(severalLines).join('\n'));
  }

  note(text: string): void {
    if (this.showsNotes) this.#printStyled('dim', text);
  }

  warn(text: string): void {
    if (!this.json) this.#printStyled('yellow', text);
  }

  /** Printed even with `--quiet`. */
  fail(text: string): void {
    this.#printStyled('red', text);
  }

  /** Log lines of a script, which are part of the answer: also without a terminal. */
  log(text: string): void {
    if (!this.json) this.#printError(severalLines(text));
  }

  failDocument(value: object): void {
    this.#printError(printableJson(value));
  }

  progress(): Progress {
    this.#progress = progressOn(this.#stderr, this.showsNotes);
    return this.#progress;
  }

  #print(text: string): void {
    this.#progress?.clear();
    this.#stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  }

  #printStyled(style: Style, text: string): void {
    this.#printError(this.#styled(style, severalLines(text), this.#stderr));
  }

  #printError(line: string): void {
    this.#progress?.clear();
    this.#stderr.write(`${line}\n`);
  }

  #styled(style: Style, text: string, stream: NodeJS.WriteStream): string {
    return stream.isTTY && !process.env.NO_COLOR ? styleText(style, text) : text;
  }
}
