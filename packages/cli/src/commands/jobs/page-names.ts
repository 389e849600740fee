/**
 * Names for the files of a job, by the addresses of its pages. A site chooses its addresses, so a name is one plain
 * segment: it leaves no folder, fits every file system, and is given once, whatever the case of its letters.
 */
import { createHash } from 'node:crypto';

/** File systems take 255 bytes; the rest is for the ending, a mark, and the `.part` beside it while it is written. */
const longestBytes = 120;
/** Names that Windows keeps for devices, whatever their ending. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

export class PageNames {
  readonly #home: string | undefined;
  readonly #taken = new Set<string>();

  /** Names of pages begin with their host, except on the host of `home`. */
  constructor(home?: string | null) {
    this.#home = home && URL.canParse(home) ? new URL(home).host : undefined;
  }

  /** Keeps a name from being given. */
  take(name: string): void {
    this.#taken.add(folded(name));
  }

  isTaken(name: string): boolean {
    return this.#taken.has(folded(name));
  }

  /** A name that was not given before. */
  next(address: string, ending: string): string {
    const wanted = this.#stemOf(address);
    const stem = cut(wanted, longestBytes);
    const marked = `${cut(stem, longestBytes - 9)}-${markOf(address)}`;
    const whole = stem === wanted && !this.isTaken(`${stem}.${ending}`) ? stem : marked;
    let name = `${whole}.${ending}`;
    for (let count = 2; this.isTaken(name); count++) name = `${marked}-${count}.${ending}`;
    this.take(name);
    return name;
  }

  #stemOf(address: string): string {
    if (!URL.canParse(address)) return plain(address) || 'page';
    const { host, pathname, search } = new URL(address);
    const parts = [host === this.#home ? '' : host, ...pathname.split('/'), search.slice(1)];
    const stem = parts.map(plain).filter(Boolean).join('-') || 'index';
    return devices.test(stem) ? `${stem}-page` : stem;
  }
}

/** macOS and Windows hold `A.md` and `a.md`, and both spellings of `é`, for one file. */
const folded = (name: string): string => name.normalize('NFC').toLowerCase();

const markOf = (address: string): string => createHash('sha256').update(address).digest('hex').slice(0, 8);

/** Letters and digits of every language, and what no shell or file system gives a meaning to. */
const plain = (part: string): string =>
  decoded(part)
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}\p{M}._~=-]+/gu, '-')
    .replace(/^[.\-~]+|[.-]+$/g, '');

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // broken escapes stay as they are
    return part;
  }
}

function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let length = 0;
  let kept = '';
  for (const letter of text) {
    length += Buffer.byteLength(letter);
    if (length > bytes) break;
    kept += letter;
  }
  return kept;
}
