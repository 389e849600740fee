/** The content of the chosen section. The others are not mounted: leaving Live ends its connection. */
import type { api, Browser } from '@browserd/sdk';
import type { BrowserEvents } from './browser-events.ts';
import {
  ConsolePanel,
  DownloadsPanel,
  FilesPanel,
  NetworkPanel,
  PolicyPanel,
  RulesPanel,
  StatePanels,
} from './panels/panels.ts';
import { ReplaySection } from './replay/replay.tsx';
import { RequestsPanel } from './requests/requests.tsx';
import type { Section } from './section-links.tsx';
import { WatchSection } from './watch/watch.tsx';

export function SectionContent(props: {
  section: Section;
  browser: Browser;
  record: api.Browser;
  known: BrowserEvents;
  pickedAt: number | undefined;
  onReplay: (at: number) => void;
}) {
  const { section, browser, record, known, pickedAt, onReplay } = props;
  switch (section) {
    case 'live':
      return <WatchSection browser={browser} record={record} known={known} onReplay={onReplay} />;
    case 'replay':
      return (
        <ReplaySection
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
      return (
        <>
          <RequestsPanel browser={browser} record={record} />
          <NetworkPanel browser={browser} record={record} known={known} />
        </>
      );
    case 'policy':
      return (
        <>
          <RulesPanel browser={browser} record={record} />
          <PolicyPanel browser={browser} record={record} />
        </>
      );
    case 'state':
      return <StatePanels browser={browser} record={record} />;
  }
}
