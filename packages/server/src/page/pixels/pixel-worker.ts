/** The thread that works on pixels (see pixel-work.ts): pictures are unpacked, compared and packed here and nowhere else. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { initSync, optimise } from '@jsquash/oxipng/codec/pkg/squoosh_oxipng.js';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { threadGivesWay } from '../../process/priority.ts';
import type { PixelAnswer, PixelBox, PixelTask } from './pixel-work.ts';

threadGivesWay();

/** Beyond it oxipng tries for many times as long for a hundredth of the bytes. */
const level = 2;
const headName = 0x49484452; // "IHDR"
/** How far two colours may be apart: what a person does not see is no difference. */
const tolerance = 0.1;

function optimized(png: Uint8Array): Uint8Array {
  const codec = dirname(
    createRequire(import.meta.url).resolve('@jsquash/oxipng/codec/pkg/squoosh_oxipng.js'),
  );
  initSync(readFileSync(join(codec, 'squoosh_oxipng_bg.wasm')));
  return optimise(png, level, false, false);
}

interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}

/** On a sheet of that size; what it does not have is of a colour that the other picture has nowhere there. */
function onSheet({ width, height, data }: Pixels, sheet: PngSize, beside: number[]): Uint8Array {
  if (width === sheet.width && height === sheet.height) return data;
  const all = Buffer.alloc(sheet.width * sheet.height * 4, Buffer.from(beside));
  for (let y = 0; y < height; y++)
    all.set(data.subarray(y * width * 4, (y + 1) * width * 4), y * sheet.width * 4);
  return all;
}

type PngSize = Pick<Pixels, 'width' | 'height'>;

/** Both are grey there. Returns how many pixels that are. */
function leaveOut(boxes: readonly PixelBox[], { width, height }: PngSize, pictures: Uint8Array[]): number {
  const out = new Uint8Array(width * height);
  let count = 0;
  for (const box of boxes) {
    const [left, right] = [Math.max(0, box.left), Math.min(width, box.right)];
    for (let y = Math.max(0, box.top); y < Math.min(height, box.bottom); y++)
      for (let x = left; x < right; x++) {
        const at = y * width + x;
        if (out[at] === 1) continue;
        out[at] = 1;
        count++;
        for (const picture of pictures) {
          picture.fill(128, at * 4, at * 4 + 3);
          picture[at * 4 + 3] = 255;
        }
      }
  }
  return count;
}

/** A second head could ask for more memory than the first, which was looked at. */
function refuseSecondHead(png: Uint8Array): void {
  const view = Buffer.from(png.buffer, png.byteOffset, png.length);
  for (let at = 8, heads = 0; at + 8 <= view.length; at += 12 + view.readUInt32BE(at)) {
    if (view.readUInt32BE(at + 4) === headName) heads++;
    if (heads > 1) throw new Error('it has two heads');
  }
}

function compared({ taken, baseline, ignored }: Extract<PixelTask, { kind: 'compare' }>): PixelAnswer {
  refuseSecondHead(baseline);
  const [now, before] = [PNG.sync.read(Buffer.from(taken)), PNG.sync.read(Buffer.from(baseline))];
  const sheet = {
    width: Math.max(now.width, before.width),
    height: Math.max(now.height, before.height),
  };
  const [one, other] = [onSheet(now, sheet, [255, 0, 255, 255]), onSheet(before, sheet, [0, 255, 0, 255])];
  const left = leaveOut(ignored, sheet, [one, other]);
  const picture = new PNG(sheet);
  const differentPixels = pixelmatch(one, other, picture.data, sheet.width, sheet.height, {
    threshold: tolerance,
  });
  const bytes = PNG.sync.write(picture);
  return { bytes, differentPixels, comparedPixels: sheet.width * sheet.height - left };
}

const task = workerData as PixelTask;
// A failure is not caught: it ends the thread, and the call that waits is told why.
parentPort?.postMessage(task.kind === 'optimize' ? { bytes: optimized(task.png) } : compared(task));
