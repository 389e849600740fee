/** The request rules and filter lists of a browser, in their order, with how often each was applied. */
import type { api, Browser } from '@browserd/sdk';
import { usePart } from '../../../data/data.ts';
import { Panel } from '../../../parts/panel.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { Untrusted } from '../../../parts/text/text.ts';
import { doneWords, matchWords } from './rule-words.ts';

const hitsEveryMs = 5000;

export function RulesPanel({ browser, record }: { browser: Browser; record: api.Browser }) {
  const { rules = [], lists = [] } = record.policy;
  const isCounting = record.status === 'ready' && rules.length + lists.length > 0;
  // no event says that a rule was applied
  usePart(browser, 'record', (signal) => browser.refresh({ signal }), {
    enabled: isCounting,
    refetchInterval: hitsEveryMs,
  });
  const rows = rowsOf(record);
  if (rows.length === 0) return null;
  return (
    <Panel
      title="Request rules"
      aside={isCounting && <span className="faint">counted since Chromium started or they were changed</span>}
    >
      <Table label="Request rules" columns={columns} rows={rows} keyOf={({ key }) => key} />
    </Panel>
  );
}

interface Row {
  key: string;
  order: string;
  match: string;
  done: string;
  /** Undefined while Chromium does not run. */
  hits: number | undefined;
}

function rowsOf({ policy, ruleHits }: api.Browser): Row[] {
  const { rules = [], lists = [] } = policy;
  return [
    ...rules.map((rule, index) => ({
      key: `rule ${index}`,
      order: String(index + 1),
      match: matchWords(rule.match),
      done: doneWords(rule.do),
      hits: ruleHits?.rules[index],
    })),
    ...lists.map((name) => ({
      key: `list ${name}`,
      order: 'then',
      match: `what the list ${name} names`,
      done: 'block',
      hits: ruleHits?.lists?.[name],
    })),
  ];
}

const columns: Column<Row>[] = [
  { head: 'Order', cell: ({ order }) => order },
  { head: 'Requests', grows: true, cell: ({ match }) => <Untrusted text={match} /> },
  { head: 'What happens', cell: ({ done }) => <Untrusted text={done} /> },
  { head: 'Applied', end: true, cell: ({ hits }) => (hits === undefined ? '–' : hits.toLocaleString()) },
];
