import { BrowserdError } from '@browserd/sdk';
import { useState } from 'react';
import { useLocation, useParams, useSearch } from 'wouter';
import { LinkButton } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { Page } from '../shell/page.tsx';
import { Asked } from './asked.tsx';
import { useBrowserEvents } from './browser-events.ts';
import { BrowserLead } from './browser-lead.tsx';
import { useBrowser, usePart } from './browser-queries.ts';
import './browser.css';
import './panels/panels.css';
import { BrowserView } from './browser-view.tsx';
import { HeaderActions } from './header-actions.tsx';
import { StatusNote } from './status-note.tsx';
import { isView, type View, ViewLinks } from './view-links.tsx';

/**
 *   header: name, status, what can be done
 *   a note, where the browser is not ready: why, and what still is here
 *   views: live and replay with the timeline beside them; files, downloads, console, network, policy, state
 */
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
  const asked = new URLSearchParams(useSearch()).get('view');
  const [, navigate] = useLocation();
  const [pickedAt, setPickedAt] = useState<number>();
  const show = (view: View): void => navigate(`/app/browsers/${id}?view=${view}`);
  const record = query.data;
  if (isGone(query.error)) return <NoSuchBrowser />;
  const view: View = isView(asked) ? asked : record && record.status !== 'ready' ? 'replay' : 'live';
  return (
    <Page
      title={record?.name || id}
      lead={record && <BrowserLead record={record} />}
      actions={record && <HeaderActions browser={browser} record={record} />}
    >
      <Asked query={query} rows={4} label="Loading the browser">
        {(there) => (
          <>
            <StatusNote record={there} />
            <ViewLinks id={id} view={view} events={known.events} />
            <BrowserView
              view={view}
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
      </Asked>
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
        title="There is no such browser"
        action={<LinkButton to="/app/browsers">All browsers</LinkButton>}
      >
        It belongs to another project, or was closed so long ago that its record is gone.
      </Empty>
    </Page>
  );
}
