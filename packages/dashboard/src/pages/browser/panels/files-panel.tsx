/** The files of a browser: uploads, and what scripts and captures have stored. */
import type { api, Browser } from '@browserd/sdk';
import { keyOf, ListedItems, useListed } from '../../../data/data.ts';
import { isOver } from '../../../parts/browser/browser.ts';
import { OpenTraceButton, SaveButton } from '../../../parts/files/files.ts';
import { Empty } from '../../../parts/notices/notices.ts';
import { Panel } from '../../../parts/panel.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { size, Time, Untrusted } from '../../../parts/text/text.ts';
import { DeleteButton } from './delete-button.tsx';
import { UploadArea } from './upload-area.tsx';

const pageSize = 50;

export function FilesPanel({ browser, record }: { browser: Browser; record: api.Browser }) {
  const list = useListed(keyOf(browser.id, 'files'), (signal) =>
    browser.files.list({ limit: pageSize, signal }),
  );
  return (
    <Panel title="Files">
      {!isOver(record) && <UploadArea browser={browser} />}
      <ListedItems
        list={list}
        empty={
          <Empty icon="file" title="No files">
            Upload files for scripts to use. Files, screenshots and PDFs that scripts create show up here too.
          </Empty>
        }
      >
        {(files) => <Table label="Files" columns={columnsFor(browser)} rows={files} keyOf={({ id }) => id} />}
      </ListedItems>
    </Panel>
  );
}

const columnsFor = (browser: Browser): Column<api.File>[] => [
  { head: 'Name', grows: true, cell: ({ name }) => <Untrusted text={name} /> },
  { head: 'Size', end: true, cell: (file) => size(file.size) },
  { head: 'Type', cell: ({ mimeType }) => <Untrusted text={mimeType} className="soft" /> },
  { head: 'From', cell: ({ source }) => source },
  { head: 'Made', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    head: 'Actions',
    end: true,
    cell: ({ id, name, source }) => (
      <div>
        {source === 'trace' && (
          <OpenTraceButton
            label={`Open ${name} in the trace viewer`}
            fetch={(signal) => browser.files.content(id, { signal })}
          />
        )}
        <SaveButton
          name={name}
          label={`Save ${name}`}
          fetch={(signal) => browser.files.content(id, { signal })}
        />
        <DeleteButton
          what={name}
          part="files"
          browserId={browser.id}
          remove={() => browser.files.delete(id)}
        />
      </div>
    ),
  },
];
