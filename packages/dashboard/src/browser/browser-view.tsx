import type { api, Browser } from '@browserd/sdk';
import type { BrowserEvents } from './browser-events.ts';
import { LiveView } from './live/live-view.tsx';
import { ConsolePanel } from './panels/console-panel.tsx';
import { DownloadsPanel } from './panels/downloads-panel.tsx';
import { FilesPanel } from './panels/files-panel.tsx';
import { NetworkPanel } from './panels/network-panel.tsx';
import { PolicyPanel } from './panels/policy-panel.tsx';
import { StatePanels } from './panels/state-panels.tsx';
import { ReplayView } from './replay/replay-view.tsx';
import type { View } from './view-links.tsx';

/** Only what is looked at is there: leaving the live view ends its connection. */
export function BrowserView(props: {
  view: View;
  browser: Browser;
  record: api.Browser;
  known: BrowserEvents;
  pickedAt: number | undefined;
  onReplay: (at: number) => void;
}) {
  const { view, browser, record, known, pickedAt, onReplay } = props;
  switch (view) {
    case 'live':
      return <LiveView browser={browser} record={record} known={known} onReplay={onReplay} />;
    case 'replay':
      return (
        <ReplayView
          browser={browser}
          known={known}
          canRecord={record.status === 'ready'}
          startAt={pickedAt}
        />
      );
    case 'files':
      return <FilesPanel browser={browser} record={record} />;
    case 'downloads':
      return <DownloadsPanel browser={browser} />;
    case 'console':
      return <ConsolePanel known={known} />;
    case 'network':
      return <NetworkPanel browser={browser} record={record} known={known} />;
    case 'policy':
      return <PolicyPanel browser={browser} record={record} />;
    case 'state':
      return <StatePanels browser={browser} record={record} />;
  }
}
