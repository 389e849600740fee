/** Connections that the policy has refused, by address and rule. */
import type { api, Browser } from '@browserd/sdk';
import { useMemo, useState } from 'react';
import { isOver } from '../../../parts/browser/browser.ts';
import { Button } from '../../../parts/controls/controls.ts';
import { Empty, ErrorNote } from '../../../parts/notices/notices.ts';
import { Panel } from '../../../parts/panel.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { asWords, size, Time, Untrusted } from '../../../parts/text/text.ts';
import type { BrowserEvents } from '../browser-events.ts';
import { AllowDialog } from './allow-dialog.tsx';
import { allowing, type Refusal } from './allow-refused.ts';
import { type Refused, refusedIn } from './refused.ts';

export function NetworkPanel(props: { browser: Browser; record: api.Browser; known: BrowserEvents }) {
  const { browser, record, known } = props;
  const [allowed, setAllowed] = useState<Refusal>();
  const rows = useMemo(() => refusedIn(known.events), [known.events]);
  const canAllow = (refusal: Refused): boolean =>
    !isOver(record) && allowing(record.policy, refusal) !== undefined;
  return (
    <Panel title="Blocked connections" aside={record.traffic && <Traffic {...record.traffic} />}>
      {known.error !== undefined && <ErrorNote error={known.error} onRetry={known.retry} />}
      {rows.length === 0 ? (
        <Empty icon="shield" title="Nothing blocked">
          Connections that the policy blocks show up here, with the rule that applied.
        </Empty>
      ) : (
        <Table
          label="Blocked connections"
          columns={columnsFor(canAllow, setAllowed)}
          rows={rows}
          keyOf={({ key }) => key}
        />
      )}
      {allowed && (
        <AllowDialog
          browser={browser}
          record={record}
          refusal={allowed}
          onClose={() => setAllowed(undefined)}
        />
      )}
    </Panel>
  );
}

function Traffic({ bytesIn, bytesOut, connections }: NonNullable<api.Browser['traffic']>) {
  return (
    <span className="faint">
      {size(bytesIn)} in · {size(bytesOut)} out · {connections} open
    </span>
  );
}

const columnsFor = (
  canAllow: (refusal: Refused) => boolean,
  onAllow: (refusal: Refusal) => void,
): Column<Refused>[] => [
  {
    head: 'Address',
    grows: true,
    cell: ({ url, count }) => (
      <span className="counted">
        <Untrusted text={url} />
        {count > 1 && <b>×{count}</b>}
      </span>
    ),
  },
  { head: 'Rule', cell: ({ rule }) => <span className="nowrap">{asWords(rule)}</span> },
  { head: 'Last', cell: ({ at }) => <Time at={at} /> },
  {
    head: 'Actions',
    end: true,
    cell: (refusal) =>
      canAllow(refusal) && (
        <Button small onClick={() => onAllow(refusal)}>
          Allow …
        </Button>
      ),
  },
];
