/**
 * The viewer of the service in a frame of the same origin. The watched page is a picture in it: none of its code runs
 * here. A fresh address differs after the `#` only, so it is applied without reloading the frame.
 */
import { useEffect, useRef, useState } from 'react';

interface Props {
  address: string;
  takeOver: boolean;
  onAsked: (() => void) | undefined;
}

export function ViewerFrame({ address, takeOver, onAsked }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [first] = useState(address);
  useEffect(() => {
    if (frame.current && address !== first) applyAddress(frame.current, address);
  }, [address, first]);
  const [isLoaded, setIsLoaded] = useState(false);
  useEffect(() => {
    if (!isLoaded || !takeOver) return;
    frame.current?.contentWindow?.postMessage({ to: 'browserd', type: 'takeOver' }, location.origin);
    onAsked?.();
  }, [isLoaded, takeOver, onAsked]);
  return (
    <iframe
      ref={frame}
      className="live-frame"
      src={first}
      title="Live view of the browser"
      allow="clipboard-read; clipboard-write; fullscreen"
      // a fresh address may have arrived while this one was loading
      onLoad={({ currentTarget }) => {
        applyAddress(currentTarget, address);
        setIsLoaded(true);
      }}
    />
  );
}

function applyAddress({ contentWindow: inside }: HTMLIFrameElement, address: string): void {
  const shown = inside && addressOf(inside);
  // a frame that has not begun to load would lose its first address; it is updated once it has loaded
  if (shown && shown !== 'about:blank' && shown !== address) inside.location.replace(address);
}

/** A page that failed to load is replaced by an error page of the web browser, which cannot be read. */
function addressOf(inside: Window): string | undefined {
  try {
    return inside.location.href;
  } catch {
    return undefined;
  }
}
