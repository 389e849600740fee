/**
 * Keys of the player: Space and K play and pause, the arrows seek, `,` and `.` step by a picture, Home and End go to the
 * ends. Other controls inside the player keep the keys that they use.
 */
import type { KeyboardEvent } from 'react';

const stepSeconds = 5;
const pictureSeconds = 0.2;

const moves: Record<string, (video: HTMLVideoElement) => number> = {
  ArrowLeft: ({ currentTime }) => currentTime - stepSeconds,
  ArrowRight: ({ currentTime }) => currentTime + stepSeconds,
  ',': ({ currentTime }) => currentTime - pictureSeconds,
  '.': ({ currentTime }) => currentTime + pictureSeconds,
  Home: () => 0,
  End: ({ duration }) => duration,
};

export function togglePlay(video: HTMLVideoElement): void {
  // a play that is overtaken by a pause is rejected, which is fine
  if (video.paused) video.play().catch(() => undefined);
  else video.pause();
}

export function onPlayerKey(event: KeyboardEvent, video: HTMLVideoElement | null): void {
  if (!video || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target as Element;
  const isButton = target.closest('button, select, a, summary') !== null;
  if (event.key === 'k' || (event.key === ' ' && !isButton)) togglePlay(video);
  else if (moves[event.key] && target.tagName !== 'SELECT')
    video.currentTime = clamp(moves[event.key]?.(video) ?? 0, video);
  else return;
  event.preventDefault();
}

const clamp = (seconds: number, { duration }: HTMLVideoElement): number =>
  Math.min(Math.max(seconds, 0), Number.isFinite(duration) ? duration : seconds);
