/**
 * Long frames of a client do not reach ws as they are. ws collects a frame whole, copies it and takes its mask off in one go,
 * for which every project waits 100 ms at 50 MB. So a large message that is one frame, as clients send it, is put together
 * here, bit by bit as it comes. Other long frames are cut into short ones: the mask repeats every four bytes, so a piece that
 * begins at a multiple of four needs no more than a head of its own.
 *
 *   [text, 50 MB, mask]xxxxxxxxxx                  ->   a message
 *   [text, more follows, 50 MB, mask]xxxxxxxxxx    ->   [text, more follows, mask]xxxx [goes on, more follows, mask]xxxx …
 */
import { giveBack } from '../../kit/give-back.ts';

const pieceBytes = 64 * 1024;
/** Heads that are read in one step: a chunk may be ten thousand frames of a few bytes. */
const mostHeads = 1000;

const [final, reserved, opcode, masked, shortLength] = [0x80, 0x70, 0x0f, 0x80, 0x7f];
/** Continuation, text, binary: only these carry data, and may be cut. */
const lastOfData = 2;
const maskBytes = 4;

/** How many bytes of length come after the first two of a head. */
function lengthBytes(second: number): number {
  const length = second & shortLength;
  if (length < 126) return 0;
  return length === 126 ? 2 : 8;
}

function lengthIn(bytes: Buffer, extra: number): number {
  if (extra === 0) return (bytes[1] as number) & shortLength;
  return extra === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
}

function headOf(first: number, length: number, mask: Buffer): Buffer {
  const head = Buffer.alloc(10 + maskBytes);
  head[0] = first;
  head[1] = masked | 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  mask.copy(head, 10);
  return head;
}

/** A frame whose payload is being passed on. */
interface Frame {
  /** Bytes of the whole frame that have not come yet. */
  left: number;
  /** Of the piece that was begun; as much as `left` where the frame is not cut. */
  leftOfPiece: number;
  isFinal: boolean;
  mask: Buffer;
  /** A large message that is put together here. */
  message?: Buffer;
  isBinary: boolean;
}

/** A large message, whole; UTF-8 is not checked. */
export interface LargeMessage {
  data: Buffer;
  isBinary: boolean;
}

/** Takes the mask off in passing; `at` counts from the beginning of the frame. */
function copyUnmasked(part: Buffer, into: Buffer, at: number, mask: Buffer): void {
  for (let n = 0; n < part.length; n++)
    into[at + n] = (part[n] as number) ^ (mask[(at + n) & (maskBytes - 1)] as number);
}

/** A head that has come whole. */
interface Begun {
  size: number;
  /** To be written instead, where the frame is cut; empty where it does not go to ws. */
  head: Buffer | undefined;
  /** More of a large message than was told yet. */
  large: number;
}

export interface CutterLimits {
  /** A message of more than this is large. */
  largeBytes: number;
  /** Of a frame; ws must see that one is longer at once. */
  mostBytes: number;
}

export class FrameCutter {
  readonly #limits: CutterLimits;
  /** The beginning of a head whose rest has not come. */
  #head = Buffer.alloc(0);
  #frame: Frame | undefined;
  /** Of the message that is coming, over all its frames. */
  #coming = 0;

  constructor(limits: CutterLimits) {
    this.#limits = limits;
  }

  /**
   * Gives what ws is to be given. A number comes before what makes a message large: that many bytes; what follows is given
   * when the next one is asked for.
   */
  *cut(chunk: Buffer): Generator<Buffer | number | LargeMessage, void> {
    let at = 0;
    let from = 0;
    let heads = 0;
    let isCopied = true;
    while (at < chunk.length) {
      const frame = this.#frame;
      if (frame?.message) {
        const part = chunk.subarray(at, at + frame.left);
        copyUnmasked(part, frame.message, frame.message.length - frame.left, frame.mask);
        at += this.#pass(frame, part.length);
        from = at;
        if (frame.left === 0) yield { data: frame.message, isBinary: frame.isBinary };
        continue;
      }
      isCopied = false;
      if (frame) {
        if (frame.leftOfPiece === 0) {
          if (from < at) yield chunk.subarray(from, at);
          from = at;
          yield this.#nextPiece(frame);
        }
        at += this.#pass(frame, chunk.length - at);
        continue;
      }
      const kept = this.#head.length;
      const head = kept > 0 ? Buffer.concat([this.#head, chunk.subarray(at)]) : chunk.subarray(at);
      const begun = this.#begin(head);
      const isPlain = begun && !begun.head && begun.large === 0 && kept === 0;
      if (!isPlain && from < at) yield chunk.subarray(from, at);
      this.#head = begun ? Buffer.alloc(0) : Buffer.from(head);
      at = begun ? at + begun.size - kept : chunk.length;
      if (isPlain) {
        if (++heads % mostHeads > 0) continue;
        yield chunk.subarray(from, at);
        from = at;
        continue;
      }
      from = at;
      if (begun?.large) yield begun.large;
      const first = begun?.head ?? head.subarray(0, begun?.size ?? 0);
      if (first.length > 0) yield first;
    }
    if (from < at) yield chunk.subarray(from, at);
    if (isCopied) giveBack(chunk);
  }

  /** How many of the bytes that came belong to the piece that was begun. */
  #pass(frame: Frame, came: number): number {
    const bytes = Math.min(came, frame.leftOfPiece);
    frame.left -= bytes;
    frame.leftOfPiece -= bytes;
    if (frame.left === 0) this.#frame = undefined;
    return bytes;
  }

  /** Undefined: the head has not come whole. */
  #begin(bytes: Buffer): Begun | undefined {
    const [first, second] = [bytes[0], bytes[1]];
    if (first === undefined || second === undefined) return undefined;
    const extra = lengthBytes(second);
    const isMasked = (second & masked) !== 0;
    const size = 2 + extra + (isMasked ? maskBytes : 0);
    if (bytes.length < size) return undefined;
    const length = lengthIn(bytes, extra);
    const isData = (first & opcode) <= lastOfData;
    const isFinal = (first & final) !== 0;
    // What ws will refuse, it is given as it came.
    const isRight = isData && isMasked && (first & reserved) === 0 && length <= this.#limits.mostBytes;
    const isWhole = isRight && isFinal && (first & opcode) !== 0 && this.#coming === 0;
    const isTaken = isWhole && length > this.#limits.largeBytes;
    const isCut = isRight && !isTaken && length > pieceBytes;
    const mask = Buffer.from(bytes.subarray(size - maskBytes, size));
    if (length > 0)
      this.#frame = {
        left: length,
        leftOfPiece: isCut ? pieceBytes : length,
        isFinal,
        mask,
        isBinary: (first & opcode) === 2,
        ...(isTaken && { message: Buffer.allocUnsafeSlow(length) }),
      };
    return {
      size,
      head: isTaken ? Buffer.alloc(0) : isCut ? headOf(first & ~final, pieceBytes, mask) : undefined,
      large: isData ? this.#largeWith(length, isFinal) : 0,
    };
  }

  /** What this frame adds to a large message; what came of it while it was small counts with the frame that made it large. */
  #largeWith(length: number, isFinal: boolean): number {
    const before = this.#coming;
    const all = before + length;
    this.#coming = isFinal ? 0 : all;
    if (all <= this.#limits.largeBytes) return 0;
    return before > this.#limits.largeBytes ? length : all;
  }

  #nextPiece(frame: Frame): Buffer {
    frame.leftOfPiece = Math.min(frame.left, pieceBytes);
    const isLast = frame.leftOfPiece === frame.left;
    return headOf(isLast && frame.isFinal ? final : 0, frame.leftOfPiece, frame.mask);
  }
}
