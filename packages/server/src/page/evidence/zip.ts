/**
 * Writes a ZIP file, entry by entry, within a thread that may wait for the disk. It needs the oldest form of the format only:
 * what is packed here has a limit far below 4 GiB.
 */
import { writeSync } from 'node:fs';
import { crc32, deflateRawSync } from 'node:zlib';

const signatures = { entry: 0x04034b50, listed: 0x02014b50, end: 0x06054b50 };
const versionNeeded = 20;
const utf8Names = 0x0800;
const methods = { stored: 0, deflated: 8 };
/** 1 January 1980: the time of the call is in the record of the file. */
const oldestDate = 0x21;
const mostEntries = 65_535;

/** These are packed already, and take longer to pack again than they gain. */
const isPacked = /\.(png|jpe?g|webp|gif|zip|woff2?|mp4|webm|br|gz)$/i;

export class ZipFile {
  readonly #fd: number;
  readonly #listed: Buffer[] = [];
  #at = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  get bytes(): number {
    return this.#at;
  }

  add(name: string, data: Buffer): void {
    if (this.#listed.length >= mostEntries) return;
    const deflated = isPacked.test(name) ? data : deflateRawSync(data, { level: 6 });
    const method = deflated.length < data.length ? methods.deflated : methods.stored;
    const body = method === methods.deflated ? deflated : data;
    const common = Buffer.alloc(22);
    common.writeUInt16LE(utf8Names, 0);
    common.writeUInt16LE(method, 2);
    common.writeUInt16LE(oldestDate, 6);
    common.writeUInt32LE(crc32(data), 8);
    common.writeUInt32LE(body.length, 12);
    common.writeUInt32LE(data.length, 16);
    const letters = Buffer.from(name);
    common.writeUInt16LE(letters.length, 20);
    this.#list(common, letters);
    this.#write(Buffer.concat([start(signatures.entry, versionNeeded), common, Buffer.alloc(2), letters]));
    this.#write(body);
  }

  end(): void {
    const listAt = this.#at;
    this.#write(Buffer.concat(this.#listed));
    const end = Buffer.alloc(22);
    end.writeUInt32LE(signatures.end, 0);
    end.writeUInt16LE(this.#listed.length, 8);
    end.writeUInt16LE(this.#listed.length, 10);
    end.writeUInt32LE(this.#at - listAt, 12);
    end.writeUInt32LE(listAt, 16);
    this.#write(end);
  }

  #list(common: Buffer, letters: Buffer): void {
    const rest = Buffer.alloc(16);
    rest.writeUInt32LE(this.#at, 12);
    const made = start(signatures.listed, versionNeeded, versionNeeded);
    this.#listed.push(Buffer.concat([made, common, rest, letters]));
  }

  #write(bytes: Buffer): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done);
    this.#at += bytes.length;
  }
}

function start(signature: number, ...versions: number[]): Buffer {
  const bytes = Buffer.alloc(4 + 2 * versions.length);
  bytes.writeUInt32LE(signature);
  for (const [index, version] of versions.entries()) bytes.writeUInt16LE(version, 4 + 2 * index);
  return bytes;
}
