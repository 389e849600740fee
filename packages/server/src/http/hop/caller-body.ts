/**
 * The body of a call that is passed on. It stays with the caller until the other node asks for it, so that a node which
 * refuses the call, or is lost before, has not used it up. What has gone out once cannot be had again from the caller: where
 * a call may be repeated its bytes are kept meanwhile, if they are few.
 */
import type { ClientRequest } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { askForBody, hasBody } from '../wire/wire.ts';

const mostKept = 1024 ** 2;

export class CallerBody {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly exists: boolean;
  #kept: Buffer[] | undefined;
  #keptBytes = 0;
  #begun = false;
  #read: Buffer | undefined;

  /** `read`: it was read already, and is all there is. */
  constructor(request: FastifyRequest, reply: FastifyReply, how: { keep: boolean; read?: Buffer }) {
    this.#request = request;
    this.#reply = reply;
    this.#read = how.read;
    this.exists = how.read !== undefined || hasBody(request.raw);
    if (how.keep && how.read === undefined) this.#kept = [];
  }

  /** How long it is, where it was read before. */
  get readBytes(): number | undefined {
    return this.#read?.length;
  }

  /** Whether it can still be sent: it was not, or is kept. */
  get isThere(): boolean {
    return !this.#begun || this.#read !== undefined || this.#kept !== undefined;
  }

  sendTo(asked: ClientRequest): void {
    if (this.#read !== undefined) {
      asked.end(this.#read);
      return;
    }
    if (this.#begun) throw new Error('The body of the call has gone to another node already.');
    this.#begun = true;
    const { raw } = this.#request;
    askForBody(this.#request, this.#reply);
    raw.on('data', (chunk: Buffer) => this.#keep(chunk));
    raw.pipe(asked);
  }

  /** Makes it ready to be sent, or read here, once more; false where it was not kept. */
  async again(): Promise<boolean> {
    if (!this.#begun || this.#read !== undefined) return true;
    const { raw } = this.#request;
    raw.unpipe();
    if (this.#kept && !raw.readableEnded) {
      raw.resume();
      await new Promise<void>((resolve) => raw.once('end', resolve).once('close', resolve));
    }
    if (!this.#kept || !raw.complete) return false;
    this.#read = Buffer.concat(this.#kept);
    return true;
  }

  /** For the parser of this node, in the place of a stream that has ended; undefined while the stream is untouched. */
  here(): Readable | undefined {
    if (!this.#begun || this.#read === undefined) return undefined;
    const bytes = this.#read;
    return Object.assign(Readable.from([bytes], { objectMode: false }), {
      receivedEncodedLength: bytes.length,
    });
  }

  #keep(chunk: Buffer): void {
    if (!this.#kept) return;
    this.#keptBytes += chunk.length;
    if (this.#keptBytes > mostKept) this.#kept = undefined;
    else this.#kept.push(chunk);
  }
}
