/** A value that is kept as its JSON, because the service passes it on unread. What does read it pays for `toJSON`. */
import { isUtf8 } from 'node:buffer';

export class RawJson {
  readonly #json: Uint8Array;

  /** Strict JSON, as far as it is UTF-8. */
  constructor(json: Uint8Array) {
    if (!isUtf8(json)) throw new SyntaxError('JSON that is not UTF-8');
    this.#json = json;
  }

  toJSON(): unknown {
    return JSON.parse(Buffer.from(this.#json).toString());
  }

  /** As the first member of this object, written as JSON. */
  writtenInto(name: string, others: object): Buffer {
    const rest = JSON.stringify(others).slice(1);
    const parts = [`{${JSON.stringify(name)}:`, this.#json, rest === '}' ? rest : `,${rest}`];
    return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  }
}
