import type { Browser } from '@browserd/sdk';
import { ErrorNote } from '../../parts/error-note.tsx';
import './live.css';
import { type LiveMode, useLiveAddress } from './live-address.ts';
import { LiveFrame } from './live-frame.tsx';
import { usePageVisible } from './page-visible.ts';
import { useHandoff } from './use-handoff.ts';

/**
 * A frame that nobody sees is taken away, and with it its connection: nothing is filmed for it. Only a person who holds
 * the browser keeps it while looking elsewhere, for instance for a code that came by mail; else scripts would go on.
 */
export function Watched({ browser, mode }: { browser: Browser; mode: LiveMode }) {
  const isVisible = usePageVisible();
  const isHeld = useHandoff(browser).data?.state === 'person';
  const isWatched = isVisible || isHeld;
  const { data: address, error, refetch } = useLiveAddress(browser, mode, isWatched);
  if (error && !address)
    return (
      <div className="panel-body">
        <ErrorNote error={error} onRetry={() => void refetch()} />
      </div>
    );
  return (
    <div className="live-box">
      {isWatched && address ? (
        <LiveFrame address={address} />
      ) : (
        <div className="live-frame" role="status" aria-label="Connecting" />
      )}
    </div>
  );
}
