/** A video with its controls, streamed as it is watched. */
import type { api, Browser } from '@browserd/sdk';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../parts/controls/controls.ts';
import { ErrorNote } from '../../../parts/notices/notices.ts';
import { onPlayerKey, togglePlay } from './player-keys.ts';
import { type Mark, Scrubber } from './scrubber.tsx';
import { useVideoAddress } from './use-video-address.ts';

export interface Seek {
  seconds: number;
  /** Another object is another request, also for the same second. */
  request: unknown;
}

export interface PlayerProps {
  browser: Browser;
  recording: api.Recording;
  marks: readonly Mark[];
  seek: Seek | undefined;
  onSeconds: (seconds: number) => void;
}

export function Player(props: PlayerProps) {
  const address = useVideoAddress(props.browser, props.recording.id);
  const [cannotPlay, setCannotPlay] = useState<string>();
  const retry = (): void => {
    setCannotPlay(undefined);
    void address.refetch();
  };
  const error = cannotPlay === undefined ? address.error : new Error(cannotPlay);
  if (error)
    return (
      <div className="player-empty">
        <ErrorNote error={error} onRetry={retry} />
      </div>
    );
  if (address.data === undefined)
    return (
      <div className="player-empty" role="status">
        <p>
          <span className="spinner" aria-hidden="true" /> Loading the video …
        </p>
      </div>
    );
  return <Screen {...props} url={address.data} onError={setCannotPlay} />;
}

const speeds = [0.5, 1, 2, 4, 8];

interface ScreenProps extends PlayerProps {
  url: string;
  onError(why: string): void;
}

function Screen({ url, recording, marks, seek, onSeconds, onError }: ScreenProps) {
  const screen = useRef<HTMLVideoElement>(null);
  const [seconds, setSeconds] = useState(0);
  const [duration, setDuration] = useState((recording.durationMs ?? 0) / 1000);
  const [isPlaying, setIsPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const goTo = (next: number): void => {
    if (screen.current) screen.current.currentTime = next;
  };
  const update = (next: number): void => {
    setSeconds(next);
    onSeconds(next);
  };
  const request = seek?.request;
  const wanted = seek?.seconds;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same second may be requested again
  useEffect(() => {
    if (wanted !== undefined && screen.current) screen.current.currentTime = wanted;
  }, [wanted, request]);
  const says = `${time(seconds)} of ${time(duration)}`;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are shortcuts; each has a control of its own inside
    <div className="player" onKeyDown={(event) => onPlayerKey(event, screen.current)}>
      <video
        ref={screen}
        src={url}
        muted
        playsInline
        preload="metadata"
        tabIndex={0}
        aria-label="Recording of the browser"
        onClick={({ currentTarget }) => togglePlay(currentTarget)}
        onError={({ currentTarget }) =>
          onError(`The video cannot be played: ${currentTarget.error?.message || 'its address has expired'}.`)
        }
        onPlay={() => setIsPlaying(true)}
        onPause={() => setIsPlaying(false)}
        onTimeUpdate={({ currentTarget }) => update(currentTarget.currentTime)}
        onSeeked={({ currentTarget }) => update(currentTarget.currentTime)}
        onLoadedMetadata={({ currentTarget }) => {
          if (Number.isFinite(currentTarget.duration)) setDuration(currentTarget.duration);
          currentTarget.playbackRate = speed;
        }}
      />
      <Scrubber seconds={seconds} duration={duration} marks={marks} says={says} onSeek={goTo} />
      <div className="player-controls">
        <Button
          icon={isPlaying ? 'pause' : 'play'}
          aria-label={isPlaying ? 'Pause' : 'Play'}
          onClick={() => screen.current && togglePlay(screen.current)}
        />
        <span className="player-time">{says}</span>
        <label className="player-speed">
          Speed
          <select
            value={speed}
            onChange={({ target }) => {
              setSpeed(Number(target.value));
              if (screen.current) screen.current.playbackRate = Number(target.value);
            }}
          >
            {speeds.map((each) => (
              <option key={each} value={each}>
                {each}×
              </option>
            ))}
          </select>
        </label>
      </div>
    </div>
  );
}

function time(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
