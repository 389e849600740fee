/**
 * Files between the script, the service and the browser. The bytes of a file that was uploaded to the service never
 * come here: `files.path` makes an empty file that Playwright finds, and its path is replaced by the browser's own when
 * Playwright passes it on.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { limits } from '../wire/wire.ts';
import type { Call } from './call.ts';
import type { Control } from './control.ts';

export class Files {
  readonly #control: Pick<Control, 'ask'>;
  readonly #browserPaths = new Map<string, string>();
  #lastFolder = 0;
  #call: Call | undefined;
  #asked = 0;

  constructor(control: Pick<Control, 'ask'>) {
    this.#control = control;
  }

  browserPath(path: string): string {
    return this.#browserPaths.get(path) ?? path;
  }

  /** What a script sees as `files`. */
  for(call: Call): object {
    this.#call = call;
    this.#asked = 0;
    return Object.freeze({
      path: async (fileId: unknown): Promise<string> => {
        this.#admit(call);
        return this.#path(requireText(fileId, 'fileId'));
      },
      write: async (name: unknown, data: unknown, options: { mimeType?: unknown } = {}): Promise<unknown> => {
        this.#admit(call);
        const bytes = toBytes(data);
        const { mimeType } = options;
        const asked = { op: 'write', name: requireText(name, 'name'), bytes: bytes.length } as const;
        const typed =
          mimeType === undefined ? asked : { ...asked, mimeType: requireText(mimeType, 'mimeType') };
        return (await this.#control.ask(typed, bytes)).value;
      },
    });
  }

  /** The bytes of a finished download. */
  async download(guid: string): Promise<Buffer> {
    this.#admit(this.#call);
    return (await this.#control.ask({ op: 'download', guid })).bytes;
  }

  #admit(call: Call | undefined): void {
    if (!call || call.ended) throw new Error('The script has ended.');
    if (++this.#asked > limits.notices) throw new Error(`A script may use files ${limits.notices} times.`);
  }

  async #path(fileId: string): Promise<string> {
    const { value } = await this.#control.ask({ op: 'path', fileId });
    const { path, name } = value as { path: string; name: string };
    const folder = join(tmpdir(), 'files', String(++this.#lastFolder));
    const stand = join(folder, basename(name));
    mkdirSync(folder, { recursive: true });
    writeFileSync(stand, '');
    this.#browserPaths.set(stand, path);
    return stand;
  }
}

function requireText(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '' || value.length > limits.nameChars)
    throw new TypeError(`${name} must be a text of 1 to ${limits.nameChars} characters.`);
  return value;
}

function toBytes(data: unknown): Uint8Array {
  const bytes =
    typeof data === 'string'
      ? Buffer.from(data, 'utf8')
      : ArrayBuffer.isView(data)
        ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
        : Object.prototype.toString.call(data) === '[object ArrayBuffer]'
          ? Buffer.from(data as ArrayBuffer)
          : undefined;
  if (!bytes) throw new TypeError('data must be a text, a Buffer, a typed array or an ArrayBuffer.');
  if (bytes.length > limits.fileBytes)
    throw new RangeError(
      `data is ${bytes.length} bytes; a script may write files of up to ${limits.fileBytes}.`,
    );
  return bytes;
}
