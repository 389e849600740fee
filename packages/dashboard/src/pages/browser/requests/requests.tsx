/**
 * The log of a browser's requests, as it grows:
 *
 *   filters
 *   how many, and older ones on demand
 *   table │ details of the chosen one (on a narrow window in place of the table)
 */
import type { api, Browser } from '@browserd/sdk';
import { useMemo, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { LinkButton } from '../../../parts/controls/controls.ts';
import { SaveButton } from '../../../parts/files/files.ts';
import { Empty } from '../../../parts/notices/notices.ts';
import { Panel } from '../../../parts/panel.tsx';
import { type RequestsView, requestsAddress, requestsViewOf } from '../network-address.ts';
import { RequestDetail } from './detail/detail.tsx';
import { FilterBar } from './filter-bar.tsx';
import { Nothing, Remarks } from './remarks.tsx';
import { isNamed } from './request-facts.ts';
import { RequestTable } from './request-table.tsx';
import './requests.css';
import { useRequests } from './use-requests.ts';

export function RequestsPanel({ browser, record }: { browser: Browser; record: api.Browser }) {
  if (record.status === 'ready') return <CurrentRequests browser={browser} epoch={record.epoch} />;
  return (
    <Panel title="Requests">
      <Empty
        icon="webhooks"
        title="No log"
        action={<LinkButton to={`/app/browsers/${record.id}?view=files`}>Files</LinkButton>}
      >
        {`The browser is ${record.status}. Its requests are logged in memory while it is ready; HARs that were saved are among its files.`}
      </Empty>
    </Panel>
  );
}

function CurrentRequests({ browser, epoch }: { browser: Browser; epoch: number }) {
  const view = requestsViewOf(useSearch());
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [returnTo, setReturnTo] = useState<{ id: string }>();
  const requests = useRequests(browser, view, epoch);
  const { rows } = requests;
  const wanted = text.trim();
  const shown = useMemo(
    () => (wanted === '' ? rows : rows.filter((request) => isNamed(request, wanted))),
    [rows, wanted],
  );
  const show = (next: RequestsView, replace = false): void =>
    navigate(requestsAddress(browser.id, next), { replace });
  const { request: selected, tab } = view;
  return (
    <Panel
      title="Requests"
      aside={
        !requests.isOff && (
          <SaveButton
            name="network.har"
            label={tab ? 'Save HAR of this tab' : 'Save HAR'}
            labelled
            fetch={(signal) => browser.network.har({ ...(tab && { tabId: tab }), signal })}
          />
        )
      }
    >
      <FilterBar
        browser={browser}
        view={view}
        text={text}
        onView={(change) => show({ ...view, ...change }, true)}
        onText={setText}
      />
      <Remarks requests={requests} shown={shown.length} />
      <div className={selected ? 'requests-split has-detail' : 'requests-split'}>
        <div className="requests-list" aria-busy={requests.loading}>
          {shown.length > 0 ? (
            <RequestTable
              rows={shown}
              selected={selected}
              returnTo={returnTo}
              onOpen={(request) => show({ ...view, request })}
            />
          ) : (
            <Nothing
              requests={requests}
              isFiltered={isFiltered(view) || wanted !== ''}
              onAll={() => {
                setText('');
                show({ request: selected }, true);
              }}
            />
          )}
        </div>
        {selected && (
          <RequestDetail
            key={selected}
            browser={browser}
            id={selected}
            rows={rows}
            addressOf={(request) => requestsAddress(browser.id, { ...view, request })}
            onHost={(host) => show({ ...view, host }, true)}
            onClose={() => {
              setReturnTo({ id: selected });
              show({ ...view, request: undefined });
            }}
          />
        )}
      </div>
    </Panel>
  );
}

const isFiltered = ({ request: _, ...filters }: RequestsView): boolean =>
  Object.values(filters).some((value) => value !== undefined);
