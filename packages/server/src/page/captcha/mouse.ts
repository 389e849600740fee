/** Clicks and typing as a person's hand does them: real input events, along a path, at a place within. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Box } from '../inside/inside.ts';
import { captchaProgram } from '../reach/reach.ts';
import type { PageFrames } from './page-frames.ts';
import type { Sighting } from './sight.ts';

const within = (from: number, to: number): number => from + Math.random() * (to - from);

/** Where a part of the captcha lies in the viewport, after it was scrolled to. */
export async function boxOf(
  frames: PageFrames,
  sighting: Sighting,
  part: 'target' | 'picture',
): Promise<(Box & { atLeft?: boolean }) | undefined> {
  const box = await frames.evaluate<(Box & { atLeft?: boolean }) | undefined>(
    sighting.frame,
    captchaProgram.callLoaded(part, sighting.number),
  );
  if (!box || box.width < 1 || box.height < 1) return undefined;
  const corner = await frames.cornerOf(sighting.frame, await frames.list());
  return { ...box, x: box.x + corner.x, y: box.y + corner.y };
}

/** The check box of most widgets is on the left, about as far in as the widget is high. */
export function aim({ x, y, width, height, atLeft }: Box & { atLeft?: boolean }): { x: number; y: number } {
  const middle = y + height / 2 + within(-0.1, 0.1) * Math.min(height, 20);
  if (!atLeft || width < 120) return { x: x + width * within(0.4, 0.6), y: middle };
  return { x: x + Math.min(height / 2, 30) * within(0.9, 1.1), y: middle };
}

export async function click(
  frames: PageFrames,
  at: { x: number; y: number },
  signal: AbortSignal,
): Promise<void> {
  const { cdp, sessionId, behind } = frames.page;
  // The whole Chromium takes no input for a tab that another one hides.
  if (behind) await cdp.send('Page.bringToFront', undefined, { sessionId, timeoutMs: 5000 });
  const send = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', x: number, y: number, buttons = 0) =>
    cdp.send(
      'Input.dispatchMouseEvent',
      { type, x, y, buttons, ...(type !== 'mouseMoved' && { button: 'left' as const, clickCount: 1 }) },
      { sessionId, timeoutMs: 5000 },
    );
  const from = { x: Math.max(1, at.x + within(-240, 240)), y: Math.max(1, at.y + within(-160, 160)) };
  const bend = { x: within(-40, 40), y: within(-40, 40) };
  const steps = Math.round(within(14, 22));
  for (let step = 1; step <= steps; step++) {
    const done = 1 - (1 - step / steps) ** 2;
    const curve = Math.sin(Math.PI * done);
    await send(
      'mouseMoved',
      from.x + (at.x - from.x) * done + bend.x * curve,
      from.y + (at.y - from.y) * done + bend.y * curve,
    );
    await sleep(within(6, 16), undefined, { signal });
  }
  await sleep(within(40, 120), undefined, { signal });
  await send('mousePressed', at.x, at.y, 1);
  await sleep(within(50, 110), undefined, { signal });
  await send('mouseReleased', at.x, at.y);
}

export async function type(frames: PageFrames, text: string, signal: AbortSignal): Promise<void> {
  const options = { sessionId: frames.page.sessionId, timeoutMs: 5000 };
  for (const key of text) {
    await frames.page.cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text: key }, options);
    await frames.page.cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', key }, options);
    await sleep(within(30, 90), undefined, { signal });
  }
}

export async function pressEnter(frames: PageFrames): Promise<void> {
  const options = { sessionId: frames.page.sessionId, timeoutMs: 5000 };
  const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 };
  await frames.page.cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', ...enter, text: '\r' }, options);
  await frames.page.cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enter }, options);
}
