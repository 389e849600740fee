/** What the service asks of an empty page of an origin whose local storage is put back. */
export interface FillProgram {
  /** `entries`: JSON of pairs. */
  fill(entries: string): void;
  /** The same, and nothing else is kept. */
  replace(entries: string): void;
}
