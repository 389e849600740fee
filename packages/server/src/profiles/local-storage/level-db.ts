/**
 * Reads a LevelDB folder that no process has open: Chromium keeps local storage in one. Only what is needed to list its
 * keys and values; whatever is not understood is an error, and the caller does without.
 *
 *   CURRENT ──> MANIFEST: which tables and which log count ──> tables (*.ldb), then logs ──> the newest value of each key
 */
import { unsnap } from './snappy.ts';

const blockBytes = 32_768;
const headerBytes = 7;
const tableMagic = 0xdb4775248b80fb57n;
const footerBytes = 48;

/** Reads numbers and texts one after another; past the end is an error. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#bytes.readUInt8(this.#at++);
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    throw new Error('a number never ends');
  }

  take(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) throw new Error('a record ends too early');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  text(): Buffer {
    return this.take(this.varint());
  }
}

/** The records of a log file, put together from their pieces. What was being written when it ended is left out. */
function* recordsOf(log: Buffer): Generator<Buffer> {
  let pieces: Buffer[] = [];
  for (let at = 0; at + headerBytes <= log.length; ) {
    const left = blockBytes - (at % blockBytes);
    if (left < headerBytes) {
      at += left;
      continue;
    }
    const length = log.readUInt16LE(at + 4);
    const type = log.readUInt8(at + 6);
    const body = log.subarray(at + headerBytes, at + headerBytes + length);
    if (type === 0 || body.length < length) return;
    if (type === 1 || type === 2) pieces = [];
    pieces.push(body);
    if (type === 1 || type === 4) yield Buffer.concat(pieces);
    at += headerBytes + length;
  }
}

interface Files {
  tables: Set<number>;
  firstLog: number;
}

/** Which files count, by the edits of the manifest. */
function filesOf(manifest: Buffer): Files {
  const files: Files = { tables: new Set(), firstLog: 0 };
  for (const record of recordsOf(manifest)) {
    const edit = new Reader(record);
    while (!edit.done) {
      const tag = edit.varint();
      if (tag === 1) edit.text();
      else if (tag === 2) files.firstLog = edit.varint();
      else if (tag === 3 || tag === 4 || tag === 9) edit.varint();
      else if (tag === 5) {
        edit.varint();
        edit.text();
      } else if (tag === 6) {
        edit.varint();
        files.tables.delete(edit.varint());
      } else if (tag === 7) {
        edit.varint();
        files.tables.add(edit.varint());
        edit.varint();
        edit.text();
        edit.text();
      } else throw new Error(`an edit of the kind ${tag} is not known`);
    }
  }
  return files;
}

interface Version {
  sequence: number;
  /** Null: removed. */
  value: Buffer | null;
}

type Note = (key: Buffer, version: Version) => void;

function readLog(log: Buffer, note: Note): void {
  for (const record of recordsOf(log)) {
    const first = Number(record.readBigUInt64LE(0));
    const count = record.readUInt32LE(8);
    const batch = new Reader(record.subarray(12));
    for (let n = 0; n < count; n++) {
      const type = batch.take(1)[0];
      const key = batch.text();
      note(key, { sequence: first + n, value: type === 1 ? batch.text() : null });
    }
  }
}

interface Place {
  offset: number;
  size: number;
}

const placeIn = (reader: Reader): Place => ({ offset: reader.varint(), size: reader.varint() });

function blockAt(table: Buffer, { offset, size }: Place): Buffer {
  const block = table.subarray(offset, offset + size);
  const compression = table.readUInt8(offset + size);
  if (compression > 1) throw new Error(`a block is compressed in the way ${compression}, which is not known`);
  return compression === 1 ? unsnap(block) : block;
}

/** Keys share their beginnings with the one before. */
function* entriesOf(block: Buffer): Generator<[key: Buffer, value: Buffer]> {
  const restarts = block.readUInt32LE(block.length - 4);
  const entries = new Reader(block.subarray(0, block.length - 4 - restarts * 4));
  let last = Buffer.alloc(0);
  while (!entries.done) {
    const [shared, own, length] = [entries.varint(), entries.varint(), entries.varint()];
    last = Buffer.concat([last.subarray(0, shared), entries.take(own)]);
    yield [last, entries.take(length)];
  }
}

function readTable(table: Buffer, note: Note): void {
  const footer = table.subarray(table.length - footerBytes);
  if (footer.readBigUInt64LE(footerBytes - 8) !== tableMagic) throw new Error('a file is no table');
  const places = new Reader(footer);
  placeIn(places);
  for (const [, index] of entriesOf(blockAt(table, placeIn(places))))
    for (const [internal, value] of entriesOf(blockAt(table, placeIn(new Reader(index))))) {
      const mark = internal.readBigUInt64LE(internal.length - 8);
      const key = Buffer.from(internal.subarray(0, -8));
      note(key, { sequence: Number(mark >> 8n), value: (mark & 255n) === 1n ? value : null });
    }
}

/** Keys (as binary text) and values, of the files by their names. Throws when they are damaged or of another kind. */
export function readLevelDb(files: ReadonlyMap<string, Buffer>): Map<string, Buffer> {
  const file = (name: string): Buffer => {
    const found = files.get(name);
    if (!found) throw new Error(`the file ${name} is missing`);
    return found;
  };
  const { tables, firstLog } = filesOf(file(file('CURRENT').toString('latin1').trim()));
  const newest = new Map<string, Version>();
  const note: Note = (key, version) => {
    const name = key.toString('latin1');
    const known = newest.get(name);
    if (!known || known.sequence <= version.sequence) newest.set(name, version);
  };
  const missing = new Set(tables);
  for (const [name, bytes] of files) {
    const [, digits, kind] = /^(\d+)\.(ldb|sst|log)$/.exec(name) ?? [];
    const number = Number(digits);
    if (kind === 'log' && number >= firstLog) readLog(bytes, note);
    if (kind !== 'log' && missing.delete(number)) readTable(bytes, note);
  }
  if (missing.size > 0) throw new Error('a table is missing');
  const found = new Map<string, Buffer>();
  for (const [key, { value }] of newest) if (value !== null) found.set(key, value);
  return found;
}
