/**
 * What becomes of a picture after it was taken, for tabs and quick actions alike:
 *
 *   picture ──optimize──> the same in fewer bytes
 *      └────baseline────> how much differs, and where
 */
import { ApiError } from '../../errors.ts';
import type { ProjectFiles } from '../../files/files.ts';
import { type PixelBox, PixelFailure, PixelTimeout, PixelWork } from './pixel-work.ts';
import { type PngHead, pngHead } from './png-head.ts';
import type { Comparison, PixelWishes } from './schema.ts';

export type { PixelBox } from './pixel-work.ts';

export interface PixelsParts {
  files: Pick<ProjectFiles, 'find' | 'read'>;
}

export interface Taken {
  bytes: Buffer;
  /** What is left out, in its pixels. */
  ignored: PixelBox[];
}

export interface Compared {
  comparison: Comparison;
  /** PNGs. */
  picture: Buffer;
  difference: Buffer;
}

const optimizeMs = 20_000;
const compareMs = 60_000;
const mostBaselineBytes = 32 * 1024 ** 2;
/** Of either, and of the sheet that has both: each takes four bytes, in three pictures. */
const mostPixels = 16 * 1024 ** 2;

export class Pixels {
  readonly #files: PixelsParts['files'];
  readonly #work = new PixelWork();

  constructor({ files }: PixelsParts) {
    this.#files = files;
  }

  /** Throws, before a page is asked for anything, where there is no such baseline. */
  async check(projectId: string, { baseline }: PixelWishes): Promise<void> {
    if (baseline !== undefined) await this.#files.find(projectId, baseline);
  }

  /** A picture that takes too long, or more memory than there is for it, stays as it is. */
  async optimized(projectId: string, png: Buffer, { optimize }: PixelWishes): Promise<Buffer> {
    if (!optimize) return png;
    try {
      const { bytes } = await this.#work.do(projectId, { kind: 'optimize', png }, optimizeMs);
      return bytes.length < png.length ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : png;
    } catch (error) {
      if (error instanceof PixelTimeout || error instanceof PixelFailure) return png;
      throw error;
    }
  }

  /** With the file that was asked for as its baseline. */
  async compared(projectId: string, { bytes: taken, ignored }: Taken, asked: PixelWishes): Promise<Compared> {
    const { baseline: fileId = '', threshold = 0 } = asked;
    const { bytes: baseline } = await this.#files.read(projectId, fileId, mostBaselineBytes);
    const before = headOf(baseline, fileId);
    const now = pngHead(taken) as PngHead;
    refuseTooLarge(now, before);
    const task = { kind: 'compare', taken, baseline, ignored } as const;
    const {
      bytes,
      differentPixels = 0,
      comparedPixels = 0,
    } = await this.#work.do(projectId, task, compareMs).catch((error: unknown) => {
      throw notCompared(error, fileId);
    });
    const sameSize = now.width === before.width && now.height === before.height;
    const difference = comparedPixels === 0 ? 0 : differentPixels / comparedPixels;
    return {
      comparison: {
        matches: sameSize && difference <= threshold,
        difference,
        differentPixels,
        comparedPixels,
        threshold,
        sameSize,
        size: now,
        baseline: { fileId, ...before },
      },
      picture: await this.optimized(projectId, taken, asked),
      difference: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
    };
  }

  close(): Promise<void> {
    return this.#work.close();
  }
}

const badBaseline = (fileId: string, why: string): ApiError =>
  new ApiError(
    'BASELINE_INVALID',
    `The file ${fileId} cannot be compared with: ${why}. A baseline is a PNG as a screenshot makes it.`,
    { details: { fileId } },
  );

function headOf(baseline: Buffer, fileId: string): PngHead {
  const head = pngHead(baseline);
  if (typeof head === 'string') throw badBaseline(fileId, head);
  return head;
}

function refuseTooLarge(now: PngHead, before: PngHead): void {
  const [width, height] = [Math.max(now.width, before.width), Math.max(now.height, before.height)];
  if (width * height <= mostPixels) return;
  throw new ApiError(
    'CAPTURE_TOO_LARGE',
    `The picture is ${now.width} × ${now.height} pixels and its baseline ${before.width} × ${before.height}; together they may take ${mostPixels} pixels to be compared. Compare parts with \`clip\` or \`selector\`.`,
    { details: { size: now, baseline: before, mostPixels } },
  );
}

function notCompared(error: unknown, fileId: string): unknown {
  if (error instanceof PixelTimeout)
    return new ApiError(
      'QUICK_ACTION_TIMEOUT',
      `The pictures could not be compared within ${compareMs} ms. Compare parts with \`clip\` or \`selector\`, or try again.`,
      { details: { timeoutMs: compareMs } },
    );
  return error instanceof PixelFailure ? badBaseline(fileId, error.message) : error;
}
