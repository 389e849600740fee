/** Pictures of several elements of one page, one after the other and all or none. */
import { ApiError } from '../../errors.ts';
import type { Picture } from './schema.ts';

/** In all: they are kept until the last one is there. */
const mostBytes = 64 * 1024 ** 2;

export interface ElementPicture {
  selector: string;
  bytes: Buffer;
}

export async function takeSeveral(
  selectors: readonly string[],
  asked: Picture,
  take: (asked: Picture) => Promise<Buffer>,
): Promise<ElementPicture[]> {
  const taken: ElementPicture[] = [];
  let left = mostBytes;
  for (const selector of selectors) {
    const bytes = await take({ ...asked, selector });
    left -= bytes.length;
    if (left < 0)
      throw new ApiError(
        'CAPTURE_TOO_LARGE',
        `The pictures are larger than ${mostBytes} bytes in all. Ask for fewer \`selectors\` at once, or for jpeg.`,
        { details: { mostBytes } },
      );
    taken.push({ selector, bytes });
  }
  return taken;
}
