/** All browsers of the project, as cards with pictures. Filter and search are in the address of the page. */
import { useCallback, useMemo, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { LoadMore } from '../../data/data.ts';
import { Button } from '../../parts/controls/controls.ts';
import { Empty, ErrorNote } from '../../parts/notices/notices.ts';
import { useClient } from '../../session/session.ts';
import { Page } from '../../shell/shell.tsx';
import { BrowserCard } from './browser-card.tsx';
import { useBrowserList } from './browser-list.ts';
import './browsers.css';
import { CreateDialog } from './create/create.tsx';
import { filterOf, type Show, showOf } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { Thumbnails } from './thumbnails.ts';

export function BrowsersPage() {
  const client = useClient();
  const thumbnails = useMemo(() => new Thumbnails(client), [client]);
  const [params, setParams] = useSearchParams();
  const [, navigate] = useLocation();
  const [creating, setCreating] = useState(false);
  const show = showOf(params.get('show'));
  const search = params.get('search') ?? '';
  const { list, loaded, browsers } = useBrowserList(useMemo(() => filterOf(show, search), [show, search]));
  const set = useCallback(
    (name: string, value: string) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          if (value) next.set(name, value);
          else next.delete(name);
          return next;
        },
        { replace: true },
      ),
    [setParams],
  );
  const create = (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      New browser
    </Button>
  );
  return (
    <Page title="Browsers" actions={create}>
      <FilterBar
        show={show}
        search={search}
        onShow={(next: Show) => set('show', next === 'open' ? '' : next)}
        onSearch={useCallback((text: string) => set('search', text), [set])}
      />
      {list.isError && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <CardSkeletons />}
      {list.isSuccess && browsers.length === 0 && (
        <Nothing filtered={show !== 'open' || search !== ''} loaded={loaded} />
      )}
      {browsers.length > 0 && (
        <ul className="cards" aria-label="Browsers" aria-busy={list.isPlaceholderData}>
          {browsers.map((browser) => (
            <BrowserCard key={browser.id} browser={browser} thumbnails={thumbnails} />
          ))}
        </ul>
      )}
      <LoadMore list={list} />
      {creating && (
        <CreateDialog
          onClose={() => setCreating(false)}
          onCreated={(id) => navigate(`/app/browsers/${id}`)}
        />
      )}
    </Page>
  );
}

function Nothing({ filtered, loaded }: { filtered: boolean; loaded: number }) {
  if (loaded > 0)
    return (
      <Empty icon="search" title="None of those that are loaded">
        {`Words are looked for in the ${loaded} newest browsers of this view. Load more to search further.`}
      </Empty>
    );
  if (filtered)
    return (
      <Empty icon="search" title="No browser fits">
        Choose another view, or search for something else.
      </Empty>
    );
  return (
    <Empty icon="browsers" title="No browser yet">
      Make one here, or over the API; it appears as soon as it exists.
    </Empty>
  );
}

function CardSkeletons() {
  return (
    <div className="cards" role="status" aria-label="Loading browsers">
      {['first', 'second', 'third'].map((name) => (
        <span key={name} className="card skeleton-card" />
      ))}
    </div>
  );
}
