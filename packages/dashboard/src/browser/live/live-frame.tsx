import { useEffect, useRef, useState } from 'react';

/**
 * The live page of the service in a frame of the same origin. The watched page is a picture in there: nothing of it
 * runs here. A fresh address differs after the `#` only, so it is put in place without loading the frame again.
 */
export function LiveFrame({ address }: { address: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [first] = useState(address);
  useEffect(() => {
    const inside = frame.current?.contentWindow;
    // a frame that has not begun to load would be sent away from its first address
    if (address !== first && inside && inside.location.href !== 'about:blank')
      inside.location.replace(address);
  }, [address, first]);
  return (
    <iframe
      ref={frame}
      className="live-frame"
      src={first}
      title="Live view of the browser"
      allow="clipboard-read; clipboard-write; fullscreen"
    />
  );
}
