// What the parts of the viewer hand to each other. Types alone, so nothing of this file is served.
import type { SentMessage } from '../src/page/view/messages.ts';

export type Send = (message: SentMessage) => void;

/** Of the page, in its own pixels. */
export interface Size {
  width: number;
  height: number;
}

/** In the page, in its own pixels. */
export interface Place {
  x: number;
  y: number;
}

/** A point of the window, as events and fingers name it. */
export type Point = Pick<MouseEvent, 'clientX' | 'clientY'>;

/** Listens to an element while the person may act. */
export type Listen = <Type extends keyof HTMLElementEventMap>(
  type: Type,
  handle: (event: HTMLElementEventMap[Type]) => unknown,
  options?: AddEventListenerOptions,
) => void;
