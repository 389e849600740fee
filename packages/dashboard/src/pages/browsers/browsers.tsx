/**
 * All browsers of the project, as cards with pictures or as a table. What is shown and how is in the address of the page.
 *
 *   who waits for a person
 *   filter with counts, search, cards or table
 *   the browsers                          selected ones: stop, resume, close
 */
import { useCallback, useMemo, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { LoadMore } from '../../data/data.ts';
import { Button } from '../../parts/controls/controls.ts';
import { ErrorNote } from '../../parts/notices/notices.ts';
import { useClient } from '../../session/session.ts';
import { Page } from '../../shell/shell.tsx';
import { BrowserCard } from './browser-card.tsx';
import { useBrowserList } from './browser-list.ts';
import './browsers.css';
import { BulkBar } from './bulk/bulk.ts';
import { CreateDialog } from './create/create.tsx';
import { filterOf, type Show, showOf } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { type Look, loadingOf, lookOf, rememberLook } from './list-look.ts';
import { CardSkeletons, Nothing } from './nothing.tsx';
import { BrowserTable, sortOf, sortText } from './table/table.ts';
import { Thumbnails } from './thumbnails.ts';
import { WaitingBrowsers } from './waiting.tsx';

export function BrowsersPage() {
  const client = useClient();
  const thumbnails = useMemo(() => new Thumbnails(client), [client]);
  const [params, set] = useAddress();
  const [, navigate] = useLocation();
  const [creating, setCreating] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const show = showOf(params.get('show'));
  const search = params.get('search') ?? '';
  const look = lookOf(params.get('as'));
  const sortParam = params.get('sort');
  const sort = useMemo(() => sortOf(sortParam), [sortParam]);
  const filter = useMemo(() => filterOf(show, search), [show, search]);
  const { list, browsers, isSearching, counts } = useBrowserList(filter, loadingOf[look]);
  const chosen = look === 'table' ? browsers.filter(({ id }) => selected.has(id)) : [];
  return (
    <Page
      title="Browsers"
      actions={
        <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
          New browser
        </Button>
      }
    >
      <WaitingBrowsers />
      <FilterBar
        show={show}
        search={search}
        look={look}
        counts={counts}
        onShow={(next: Show) => set('show', next === 'open' ? '' : next)}
        onSearch={useCallback((text: string) => set('search', text), [set])}
        onLook={(next: Look) => {
          rememberLook(next);
          set('as', next);
        }}
      />
      {list.isError && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {(list.isPending || (browsers.length === 0 && isSearching)) && <CardSkeletons />}
      {list.isSuccess && browsers.length === 0 && !isSearching && (
        <Nothing filtered={show !== 'open' || search !== ''} />
      )}
      {browsers.length > 0 && look === 'cards' && (
        <ul className="cards" aria-label="Browsers" aria-busy={list.isPlaceholderData}>
          {browsers.map((browser) => (
            <BrowserCard key={browser.id} browser={browser} thumbnails={thumbnails} />
          ))}
        </ul>
      )}
      {browsers.length > 0 && look === 'table' && (
        <BrowserTable
          browsers={browsers}
          busy={list.isPlaceholderData}
          sort={sort}
          onSort={(next) => set('sort', sortText(next))}
          selected={selected}
          onSelect={setSelected}
        />
      )}
      {browsers.length > 0 && <Shown count={browsers.length} isAll={!list.hasNextPage} />}
      <LoadMore list={list} />
      <BulkBar selected={chosen} onClear={() => setSelected(new Set())} />
      {creating && (
        <CreateDialog
          onClose={() => setCreating(false)}
          onCreated={(id) => navigate(`/app/browsers/${id}`)}
        />
      )}
    </Page>
  );
}

/** The parameters of the address, and a setter that takes one at a time. */
function useAddress(): [URLSearchParams, (name: string, value: string) => void] {
  const [params, setParams] = useSearchParams();
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
  return [params, set];
}

function Shown({ count, isAll }: { count: number; isAll: boolean }) {
  if (isAll) return <p className="shown faint">{count === 1 ? '1 browser' : `${count} browsers`}</p>;
  return (
    <p className="shown faint">{`The ${count} newest are loaded; sorting and selecting apply to them.`}</p>
  );
}
