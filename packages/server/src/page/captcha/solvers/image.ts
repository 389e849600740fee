/** Reads the picture on this machine and types what it says. Plain text is read; what is distorted is mostly not. */
import { captchaProgram } from '../../reach/reach.ts';
import { aim, boxOf, click, pressEnter, type } from '../mouse.ts';
import type { Outcome, Solver, Task } from '../task.ts';
import type { Ocr } from './ocr.ts';

const enlarged = 3;
const leastConfidence = 60;
const settleMs = 2000;
const length = { least: 3, most: 12 };

export const imageSolver = (ocr: Pick<Ocr, 'read'>): Solver => ({
  name: 'image',
  limitMs: 30_000,
  refusal: ({ type: kind }) => (kind === 'image' ? undefined : 'it is not a picture of characters'),
  async solve(task, signal) {
    const picture = await pictureOf(task);
    if (!picture) return { outcome: 'failed', reason: 'its picture could not be reached' };
    const { text, confidence } = await ocr.read(picture, signal);
    if (confidence < leastConfidence || text.length < length.least || text.length > length.most)
      return {
        outcome: 'failed',
        reason: `its picture could not be read (confidence ${Math.round(confidence)} %)`,
      };
    return typed(task, text, signal);
  },
});

export async function pictureOf({ frames, sighting }: Task): Promise<Buffer | undefined> {
  const box = await boxOf(frames, sighting, 'picture');
  if (!box) return undefined;
  const { cdp, sessionId } = frames.page;
  const { cssVisualViewport } = await cdp.send('Page.getLayoutMetrics', undefined, { sessionId });
  const { x, y, width, height } = box;
  const clip = {
    x: x + cssVisualViewport.pageX,
    y: y + cssVisualViewport.pageY,
    width,
    height,
    scale: enlarged,
  };
  const { data } = await cdp.send('Page.captureScreenshot', { format: 'png', clip }, { sessionId });
  return Buffer.from(data, 'base64');
}

/** A challenge page is sent off as well, for it has no other purpose; a form is its owner's to send. */
export async function typed(task: Task, text: string, signal: AbortSignal): Promise<Outcome> {
  const { frames, sighting } = task;
  await frames.evaluate(sighting.frame, captchaProgram.callLoaded('clear', sighting.number));
  const field = await boxOf(frames, sighting, 'target');
  if (!field) return { outcome: 'failed', reason: 'its field could not be reached' };
  await click(frames, aim(field), signal);
  await type(frames, text, signal);
  if (sighting.blocking) await pressEnter(frames);
  const progress = await task.watch(signal, (openMs) => openMs > settleMs);
  if (progress !== 'open') return { outcome: 'solved' };
  if (task.sighting.frame.loaderId !== sighting.frame.loaderId)
    return { outcome: 'failed', reason: 'the page did not accept the answer, and asks again' };
  return { outcome: 'unconfirmed', reason: 'the answer is typed; the page has not confirmed it' };
}
