/**
 * The page of one browser:
 *
 *   header: name, status, actions
 *   a note, if the browser is not ready: why, and what is still available
 *   sections: live and replay with the timeline beside them; files, downloads, console, network, policy, state
 */
import { BrowserdError } from '@browserd/sdk';
import { useState } from 'react';
import { useLocation, useParams, useSearch } from 'wouter';
import { Loaded, useBrowser, usePart } from '../../data/data.ts';
import { LinkButton } from '../../parts/controls/controls.ts';
import { Empty } from '../../parts/notices/notices.ts';
import { Page } from '../../shell/shell.tsx';
import { useBrowserEvents } from './browser-events.ts';
import { BrowserLead, HeaderActions, StatusNote } from './header/header.ts';
import '../../design/browser.css';
import '../../design/panels.css';
import { SectionContent } from './section-content.tsx';
import { isSection, type Section, SectionLinks } from './section-links.tsx';

export function BrowserPage() {
  const { id } = useParams<{ id: string }>();
  return <OneBrowser key={id} id={id} />;
}

const movingEveryMs = 2000;
const moving = new Set(['creating', 'stopping', 'resuming', 'recovering', 'closing']);

function OneBrowser({ id }: { id: string }) {
  const browser = useBrowser(id);
  const known = useBrowserEvents(id);
  const query = usePart(browser, 'record', (signal) => browser.refresh({ signal }), {
    refetchInterval: (record) => (record && moving.has(record.status) ? movingEveryMs : false),
  });
  const requested = new URLSearchParams(useSearch()).get('view');
  const [, navigate] = useLocation();
  const [pickedAt, setPickedAt] = useState<number>();
  const show = (next: Section): void => navigate(`/app/browsers/${id}?view=${next}`);
  const record = query.data;
  if (isGone(query.error)) return <NoSuchBrowser />;
  const byStatus = record && record.status !== 'ready' ? 'replay' : 'live';
  const section = isSection(requested) ? requested : byStatus;
  return (
    <Page
      title={record?.name || id}
      lead={record && <BrowserLead record={record} />}
      actions={record && <HeaderActions browser={browser} record={record} />}
    >
      <Loaded query={query} rows={4} label="Loading the browser">
        {(there) => (
          <>
            <StatusNote record={there} />
            <SectionLinks id={id} section={section} events={known.events} />
            <SectionContent
              section={section}
              browser={browser}
              record={there}
              known={known}
              pickedAt={pickedAt}
              onReplay={(at) => {
                setPickedAt(at);
                show('replay');
              }}
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const isGone = (error: unknown): boolean =>
  error instanceof BrowserdError && error.code === 'BROWSER_NOT_FOUND';

function NoSuchBrowser() {
  return (
    <Page title="Browser">
      <Empty
        icon="browsers"
        title="Browser not found"
        action={<LinkButton to="/app/browsers">All browsers</LinkButton>}
      >
        It may belong to another project, or it was closed long ago and its record has expired.
      </Empty>
    </Page>
  );
}
