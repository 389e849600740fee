import { styleText } from 'node:util';
import { printableJson, severalLines } from './plain-text.ts';
import { type Progress, progressOn } from './progress.ts';
import { type Column, fieldsOf, tableOf } from './table.ts';

export interface OutputOptions {
  json?: boolean;
  quiet?: boolean;
}

type Style = Parameters<typeof styleText>[0];

/** What was asked for goes to stdout; everything said around it to stderr, where it is in nobody's way. */
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

  /** Whether a person looks at what is printed. */
  get onTerminal(): boolean {
    return this.#stdout.isTTY === true;
  }

  /** Said while or after something happens; not with `--quiet`, and not to programs. */
  get talks(): boolean {
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

  /** Done; there is nothing to give but the word. `id` alone with `--quiet`, for scripts. */
  done(value: unknown, id: string, words: string): void {
    if (this.json) this.document(value);
    else this.#print(severalLines(this.quiet ? id : words));
  }

  document(value: unknown): void {
    this.#print(printableJson(value, this.onTerminal ? 2 : undefined));
  }

  /** A text from outside: as it is for a program, without its teeth on a terminal. */
  text(text: string): void {
    this.#print(this.onTerminal ? severalLines(text) : text);
  }

  /** Lines of this program's own making. */
  lines(lines: string[]): void {
    this.#print(lines.map(severalLines).join('\n'));
  }

  note(text: string): void {
    if (this.talks) this.#say('dim', text);
  }

  warn(text: string): void {
    if (!this.json) this.#say('yellow', text);
  }

  /** Told also with `--quiet`. */
  fail(text: string): void {
    this.#say('red', text);
  }

  /** What a script logged, which is part of the answer: also without a terminal. */
  log(text: string): void {
    if (!this.json) this.#tell(severalLines(text));
  }

  failDocument(value: object): void {
    this.#tell(printableJson(value));
  }

  progress(): Progress {
    this.#progress = progressOn(this.#stderr, this.talks);
    return this.#progress;
  }

  #print(text: string): void {
    this.#progress?.clear();
    this.#stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  }

  #say(style: Style, text: string): void {
    this.#tell(this.#styled(style, severalLines(text), this.#stderr));
  }

  #tell(line: string): void {
    this.#progress?.clear();
    this.#stderr.write(`${line}\n`);
  }

  #styled(style: Style, text: string, stream: NodeJS.WriteStream): string {
    return stream.isTTY && !process.env.NO_COLOR ? styleText(style, text) : text;
  }
}
