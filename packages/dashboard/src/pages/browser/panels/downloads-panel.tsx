/** The downloads of a browser, with their progress. */
import type { api, Browser } from '@browserd/sdk';
import { Loaded, usePart } from '../../../data/data.ts';
import { SaveButton } from '../../../parts/files/files.ts';
import { Badge, Empty, type Tone } from '../../../parts/notices/notices.ts';
import { Panel } from '../../../parts/panel.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { size, Time, Untrusted, WebLink } from '../../../parts/text/text.ts';
import { DeleteButton } from './delete-button.tsx';

const most = 200;
const progressEveryMs = 700;

export function DownloadsPanel({ browser }: { browser: Browser }) {
  const ask = (signal: AbortSignal) => browser.downloads.list({ limit: 100, signal }).all(most);
  const query = usePart(browser, 'downloads', ask, {
    refetchInterval: (all) => (all?.some(({ state }) => state === 'inProgress') ? progressEveryMs : false),
  });
  return (
    <Panel title="Downloads">
      <Loaded query={query} label="Loading downloads">
        {(downloads) =>
          downloads.length === 0 ? (
            <Empty icon="download" title="No downloads">
              Files that pages download show up here and stay after the browser is closed.
            </Empty>
          ) : (
            <Table label="Downloads" columns={columnsFor(browser)} rows={downloads} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
    </Panel>
  );
}

const tones: Record<api.Download['state'], Tone> = {
  inProgress: 'busy',
  completed: 'good',
  cancelled: 'calm',
  failed: 'bad',
};

const columnsFor = (browser: Browser): Column<api.Download>[] => [
  {
    head: 'Name',
    grows: true,
    cell: ({ suggestedFilename, url }) => (
      <div className="two-lines">
        <Untrusted text={suggestedFilename} />
        <WebLink url={url} className="faint" />
      </div>
    ),
  },
  { head: 'State', cell: (download) => <Progress {...download} /> },
  { head: 'Began', cell: ({ startedAt }) => <Time at={startedAt} /> },
  {
    head: 'Actions',
    end: true,
    cell: ({ id, suggestedFilename: name, state }) => (
      <div>
        {state === 'completed' && (
          <SaveButton
            name={name}
            label={`Save ${name}`}
            fetch={(signal) => browser.downloads.content(id, { signal })}
          />
        )}
        <DeleteButton
          what={name}
          part="downloads"
          browserId={browser.id}
          remove={() => browser.downloads.delete(id)}
        />
      </div>
    ),
  },
];

function Progress({ state, receivedBytes, totalBytes, message }: api.Download) {
  return (
    <div className="two-lines">
      <span>
        <Badge tone={tones[state]}>{state === 'inProgress' ? 'downloading' : state}</Badge>{' '}
        {size(receivedBytes)}
        {state === 'inProgress' && totalBytes !== undefined && ` of ${size(totalBytes)}`}
      </span>
      {state === 'inProgress' && (
        <progress aria-label="Progress" value={totalBytes && receivedBytes} max={totalBytes ?? 1} />
      )}
      {message && <Untrusted text={message} className="faint" />}
    </div>
  );
}
