import { useEffect, useRef, useState } from 'react';

/**
 * The live page of the service in a frame of the same origin. The watched page is a picture in there: nothing of it
 * runs here. A fresh address differs after the `#` only, so it is put in place without loading the frame again.
 */
export function LiveFrame({ address }: { address: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [first] = useState(address);
  useEffect(() => {
    if (frame.current && address !== first) putInPlace(frame.current, address);
  }, [address, first]);
  return (
    <iframe
      ref={frame}
      className="live-frame"
      src={first}
      title="Live view of the browser"
      allow="clipboard-read; clipboard-write; fullscreen"
      // a fresh address may have come while this one was loading
      onLoad={({ currentTarget }) => putInPlace(currentTarget, address)}
    />
  );
}

function putInPlace({ contentWindow: inside }: HTMLIFrameElement, address: string): void {
  const shown = inside && addressOf(inside);
  // one that has not begun to load would be sent away from its first address; it is looked at again when it is there
  if (shown && shown !== 'about:blank' && shown !== address) inside.location.replace(address);
}

/** Where the page could not be loaded there is one of the web browser's own, which tells nothing. */
function addressOf(inside: Window): string | undefined {
  try {
    return inside.location.href;
  } catch {
    return undefined;
  }
}
