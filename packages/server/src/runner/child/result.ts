/**
 * What a script returns, as JSON can carry it. Values that JSON would silently drop are errors that name the place:
 * functions, symbols, BigInts, promises, cycles. Beyond plain JSON:
 *
 *   Date → ISO text · Map → [[key, value], …] · Set → […] · bytes → { $bytes: base64 } · Error → { name, message }
 *   Playwright's objects → { $handle: what it is }
 */
import { isDate, isNativeError, isPromise, isRegExp } from 'node:util/types';
import { limits } from '../wire/wire.ts';

export class NotSerializableError extends Error {}
export class TooLargeError extends Error {}

type Describe = (value: object) => string | undefined;

export function toJson(value: unknown, describe: Describe): unknown {
  const walk = new Walk(describe);
  return walk.value(value, 'result') ?? null;
}

class Walk {
  readonly #describe: Describe;
  readonly #above = new Map<object, string>();
  #bytes = 0;

  constructor(describe: Describe) {
    this.#describe = describe;
  }

  value(value: unknown, path: string): unknown {
    this.#count(8);
    switch (typeof value) {
      case 'string':
        this.#count(value.length);
        return value;
      case 'number':
        return Number.isFinite(value) ? value : null;
      case 'boolean':
      case 'undefined':
        return value;
      case 'object':
        return value === null ? null : this.#object(value, path);
      case 'bigint':
        throw new NotSerializableError(`${path} is a BigInt; return it as text: String(value).`);
      default:
        throw new NotSerializableError(`${path} is a ${typeof value}, which JSON cannot carry.`);
    }
  }

  #object(value: object, path: string): unknown {
    const handle = this.#describe(value);
    if (handle !== undefined) return { $handle: handle };
    if (isDate(value)) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (isRegExp(value)) return String(value);
    if (isPromise(value)) throw new NotSerializableError(`${path} is a Promise; await it first.`);
    if (ArrayBuffer.isView(value) || Object.prototype.toString.call(value) === '[object ArrayBuffer]')
      return this.#bytesOf(value as ArrayBuffer | ArrayBufferView);
    const seen = this.#above.get(value);
    if (seen !== undefined) throw new NotSerializableError(`${path} refers back to ${seen}: a cycle.`);
    if (this.#above.size >= limits.depth)
      throw new NotSerializableError(`${path.slice(0, 80)}… is nested deeper than ${limits.depth} levels.`);
    this.#above.set(value, path);
    const plain = this.#inside(value, path);
    this.#above.delete(value);
    return plain;
  }

  #inside(value: object, path: string): unknown {
    if (Array.isArray(value)) return this.#list(value, path);
    if (isMapLike(value)) return this.#list([...value], path);
    if (isSetLike(value)) return this.#list([...value], path);
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') return this.value(toJSON.call(value, ''), path);
    const own = isNativeError(value)
      ? Object.assign({ name: value.name, message: value.message }, value)
      : value;
    const plain: Record<string, unknown> = {};
    for (const key of Object.keys(own)) {
      this.#count(key.length);
      const item = this.value((own as Record<string, unknown>)[key], `${path}${property(key)}`);
      if (item !== undefined) Object.defineProperty(plain, key, { value: item, enumerable: true });
    }
    return plain;
  }

  #list(items: readonly unknown[], path: string): unknown[] {
    return Array.from(items, (item, index) => this.value(item, `${path}[${index}]`) ?? null);
  }

  #bytesOf(value: ArrayBuffer | ArrayBufferView): unknown {
    const bytes = ArrayBuffer.isView(value)
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
      : Buffer.from(value);
    this.#count(bytes.length);
    return { $bytes: bytes.toString('base64') };
  }

  /** Stops early: a result that is too large is not built first. The exact size is taken of the text. */
  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > 4 * limits.resultBytes) throw new TooLargeError();
  }
}

const tagOf = (value: object): string => Object.prototype.toString.call(value);
const isMapLike = (value: object): value is Map<unknown, unknown> => tagOf(value) === '[object Map]';
const isSetLike = (value: object): value is Set<unknown> => tagOf(value) === '[object Set]';

const property = (key: string): string => {
  const shown = key.length > 60 ? `${key.slice(0, 60)}…` : key;
  return /^[A-Za-z_$][\w$]*$/.test(shown) ? `.${shown}` : `[${JSON.stringify(shown)}]`;
};
