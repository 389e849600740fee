/**
 * The viewer of a browser. In a hidden page it is removed, and with it its connection: no frames are captured for it.
 * Only while a person controls the browser it stays, for instance while that person looks up a code in another tab; else
 * scripts would go on.
 */
import type { Browser } from '@browserd/sdk';
import { ErrorNote } from '../parts/notices/notices.ts';
import './viewer.css';
import { usePageVisible } from '../data/data.ts';
import { useHandoff } from './use-handoff.ts';
import { useViewerAddress, type ViewMode } from './viewer-address.ts';
import { ViewerFrame } from './viewer-frame.tsx';

interface Props {
  browser: Browser;
  mode: ViewMode;
  /** Asks the viewer to take the browser over, as soon as it can. */
  takeOver?: boolean;
  onAsked?: () => void;
}

export function Viewer({ browser, mode, takeOver = false, onAsked }: Props) {
  const isVisible = usePageVisible();
  const isControlled = useHandoff(browser).data?.state === 'person';
  const isShown = isVisible || isControlled;
  const { data: address, error, refetch } = useViewerAddress(browser, mode, isShown);
  if (error && !address)
    return (
      <div className="panel-body">
        <ErrorNote error={error} onRetry={() => void refetch()} />
      </div>
    );
  return (
    <div className="live-box">
      {isShown && address ? (
        <ViewerFrame address={address} takeOver={takeOver} onAsked={onAsked} />
      ) : (
        <div className="live-frame" role="status" aria-label="Connecting" />
      )}
    </div>
  );
}
