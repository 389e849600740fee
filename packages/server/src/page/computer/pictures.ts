/** Pictures for a model: of what shows, in the size of its screen, or of a part of it seen from near. */
import type { Running } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import type { Captures } from '../capture/capture.ts';
import { defaultPicture } from '../capture/schema.ts';
import { imageSize } from './image-size.ts';
import type { ComputerPicture, UseComputer } from './schema.ts';
import { inPage, type Screen, type Unit } from './screen.ts';

export interface PictureCall {
  captures: Pick<Captures, 'take'>;
  running: Running;
  asked: UseComputer['screenshot'];
  signal: AbortSignal;
}

/** `screen` is undefined where the page could not be measured: the picture has the size that it has. */
export function pictureOf(
  call: PictureCall,
  tabId: string,
  screen: Screen | undefined,
): Promise<ComputerPicture> {
  const size = screen && {
    deviceScaleFactor: screen.factor,
    maxSide: Math.max(16, screen.width, screen.height),
  };
  return take(call, tabId, size ?? {});
}

export async function closeUp(
  call: PictureCall,
  tabId: string,
  screen: Screen,
  [left, top, right, bottom]: readonly [number, number, number, number],
  unit: Unit,
): Promise<ComputerPicture> {
  const [from, to] = [
    inPage(screen, { x: left, y: top }, unit),
    inPage(screen, { x: right, y: bottom }, unit),
  ];
  if (!from || !to || to.x <= from.x || to.y <= from.y)
    throw new ApiError(
      'POINT_OUTSIDE_SCREEN',
      `The region ${[left, top, right, bottom].join(', ')} is no part of the picture, which is ${screen.width} × ${screen.height}. Name its left, top, right and bottom edge.`,
      { details: { width: screen.width, height: screen.height } },
    );
  const clip = {
    x: from.x + screen.view.left,
    y: from.y + screen.view.top,
    width: to.x - from.x,
    height: to.y - from.y,
  };
  const deviceScaleFactor = Math.min(screen.width / clip.width, screen.height / clip.height);
  return take(call, tabId, { clip, deviceScaleFactor });
}

async function take(
  { captures, running, asked, signal }: PictureCall,
  tabId: string,
  more: {
    clip?: { x: number; y: number; width: number; height: number };
    deviceScaleFactor?: number;
    maxSide?: number;
  },
): Promise<ComputerPicture> {
  const { format, quality } =
    typeof asked === 'object' ? asked : { format: 'jpeg' as const, quality: undefined };
  const bytes = await captures.take(running, tabId, { ...defaultPicture, format, quality, ...more }, signal);
  return { mimeType: `image/${format}`, ...imageSize(bytes), data: bytes.toString('base64') };
}
