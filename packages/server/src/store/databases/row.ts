/**
 * Between a record and its row: `createdAt` ↔ `created_at`, and the fields named as JSON ↔ text.
 */
type Snake<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : Name;

export type Row<R, Json extends keyof R = never> = {
  [Field in keyof R & string as Snake<Field>]: Field extends Json
    ? string | Extract<R[Field], null>
    : R[Field];
};

export interface RowShape<R, Json extends keyof R> {
  toRow(record: R): Row<R, Json>;
  /** Only the fields that are there; an undefined one is not. */
  toPatch(patch: Partial<R>): Partial<Row<R, Json>>;
  toRecord(row: Row<R, Json>): R;
}

/** Both directions convert the same few names over and over. */
const remembered = (rename: (name: string) => string) => {
  const known = new Map<string, string>();
  return (name: string): string => {
    const found = known.get(name);
    if (found !== undefined) return found;
    known.set(name, rename(name));
    return rename(name);
  };
};

const toColumn = remembered((field) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
const toField = remembered((column) => column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()));

export function rowShape<R extends object, Json extends keyof R & string = never>(
  ...json: Json[]
): RowShape<R, Json> {
  const isJson = new Set<string>(json);
  const write = (record: object): object => {
    const row: Record<string, unknown> = {};
    for (const [field, value] of Object.entries(record)) {
      if (value === undefined) continue;
      row[toColumn(field)] = isJson.has(field) && value !== null ? JSON.stringify(value) : value;
    }
    return row;
  };
  const read = (row: object): object => {
    const record: Record<string, unknown> = {};
    for (const [column, value] of Object.entries(row)) {
      const field = toField(column);
      record[field] = isJson.has(field) && value !== null ? JSON.parse(value) : value;
    }
    return record;
  };
  return {
    toRow: (record) => write(record) as Row<R, Json>,
    toPatch: (patch) => write(patch) as Partial<Row<R, Json>>,
    toRecord: (row) => read(row) as R,
  };
}
