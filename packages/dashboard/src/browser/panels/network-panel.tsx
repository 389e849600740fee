import type { api, Browser } from '@browserd/sdk';
import { useMemo, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { size } from '../../parts/size.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Untrusted } from '../../parts/untrusted.tsx';
import type { BrowserEvents } from '../browser-events.ts';
import { isOver } from '../life.ts';
import { words } from '../timeline/event-words.ts';
import { AllowDialog } from './allow-dialog.tsx';
import { allowing, type Refusal } from './allow-refused.ts';
import { Panel } from './panel.tsx';
import { type Refused, refusedIn } from './refused.ts';

/** Connections that the policy did not let through, by host and rule. */
export function NetworkPanel(props: { browser: Browser; record: api.Browser; known: BrowserEvents }) {
  const { browser, record, known } = props;
  const [asked, setAsked] = useState<Refusal>();
  const rows = useMemo(() => refusedIn(known.events), [known.events]);
  const canAllow = (refusal: Refused): boolean =>
    !isOver(record) && allowing(record.policy, refusal) !== undefined;
  return (
    <Panel title="Refused connections" aside={record.traffic && <Traffic {...record.traffic} />}>
      {known.error !== undefined && <ErrorNote error={known.error} onRetry={known.retry} />}
      {rows.length === 0 ? (
        <Empty icon="shield" title="Nothing was refused">
          What the policy refuses is listed here, with the address and the rule.
        </Empty>
      ) : (
        <Table
          label="Refused connections"
          columns={columnsFor(canAllow, setAsked)}
          rows={rows}
          keyOf={({ key }) => key}
        />
      )}
      {asked && (
        <AllowDialog browser={browser} record={record} refusal={asked} onClose={() => setAsked(undefined)} />
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
  { head: 'Rule', cell: ({ rule }) => <span className="nowrap">{words(rule)}</span> },
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
