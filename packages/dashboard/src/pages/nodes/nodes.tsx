/** The machines of the service, for its operator: which are there, how full they are, and the button that drains one. */
import { type api, BrowserdError } from '@browserd/sdk';
import { useState } from 'react';
import { ListedItems, queryKeys, useListed } from '../../data/data.ts';
import { Button } from '../../parts/controls/controls.ts';
import { Badge, Empty, Note, type Tone } from '../../parts/notices/notices.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { duration, Time, Untrusted } from '../../parts/text/text.ts';
import { AdminsOnly, useClient, useSession } from '../../session/session.ts';
import { Page } from '../../shell/shell.tsx';
import { DrainDialog } from './drain-dialog.tsx';
import { Load } from './load.tsx';
import './nodes.css';

const everyMs = 3000;
const tones: Record<api.Node['state'], Tone> = { up: 'good', draining: 'busy', gone: 'calm' };
/** Longer than nodes usually take between two signs of life. */
const usuallyHeardMs = 15_000;

const facts: readonly Column<api.Node>[] = [
  {
    head: 'Node',
    grows: true,
    cell: ({ id, answering, address, zone }) => (
      <div className="node-name">
        <code>{id}</code>
        <Untrusted
          className="faint"
          text={[answering && 'answers you', address ?? 'works alone', zone].filter(Boolean).join(' · ')}
        />
      </div>
    ),
  },
  { head: 'State', cell: ({ state }) => <Badge tone={tones[state]}>{state}</Badge> },
  { head: 'Browsers', cell: (node) => <Load node={node} /> },
  { head: 'Version', cell: ({ version }) => <Untrusted text={version ?? 'unknown'} /> },
  { head: 'Started', cell: ({ startedAt }) => <Time at={startedAt} /> },
  { head: 'Heard', cell: (node) => <Heard node={node} /> },
];

function Heard({ node: { state, silentMs, goneAt } }: { node: api.Node }) {
  if (state === 'gone') return goneAt ? <Time at={goneAt} /> : <span className="faint">never again</span>;
  const text = silentMs < usuallyHeardMs ? 'just now' : `${duration(silentMs)} ago`;
  return silentMs < usuallyHeardMs ? text : <Badge tone="warning">{text}</Badge>;
}

export function NodesPage() {
  const { role } = useSession();
  return (
    <Page
      title="Nodes"
      lead="The machines that run your browsers. Any of them answers for any browser. When one is lost, the others bring its browsers back."
    >
      {role === 'admin' ? <NodeTable /> : <AdminsOnly what="Nodes" />}
    </Page>
  );
}

function NodeTable() {
  const client = useClient();
  const [draining, setDraining] = useState<api.Node>();
  const list = useListed(queryKeys.nodes, (signal) => client.nodes.list({ limit: 100, signal }), {
    refetchInterval: everyMs,
  });
  if (list.error instanceof BrowserdError && list.error.code === 'FORBIDDEN')
    return (
      <Empty icon="keys" title="Nodes belong to the operator">
        {'They serve every project, so only admin keys of the project default see them.'}
      </Empty>
    );
  return (
    <>
      <ListedItems list={list} empty={<Empty icon="nodes" title="No nodes" />}>
        {(nodes) => (
          <>
            <Remarks nodes={nodes} />
            <div className="panel">
              <Table
                label="Nodes"
                columns={[...facts, actions(nodes, setDraining)]}
                rows={goneLast(nodes)}
                keyOf={({ id }) => id}
              />
            </div>
          </>
        )}
      </ListedItems>
      {draining && <DrainDialog node={draining} onClose={() => setDraining(undefined)} />}
    </>
  );
}

const goneLast = (nodes: readonly api.Node[]): api.Node[] =>
  nodes.toSorted((a, b) => Number(a.state === 'gone') - Number(b.state === 'gone'));

/** The last node that is up keeps its browsers: there is none to hand them to. */
function actions(nodes: readonly api.Node[], onDrain: (node: api.Node) => void): Column<api.Node> {
  const others = ({ id }: api.Node) => nodes.some((each) => each.id !== id && each.state === 'up');
  return {
    head: 'Actions',
    end: true,
    cell: (node) =>
      node.state === 'up' &&
      others(node) && (
        <Button small icon="leave" aria-label={`Drain ${node.id}`} onClick={() => onDrain(node)}>
          Drain
        </Button>
      ),
  };
}

function Remarks({ nodes }: { nodes: readonly api.Node[] }) {
  const there = nodes.filter(({ state }) => state !== 'gone');
  const versions = [...new Set(there.map(({ version }) => version ?? 'unknown'))];
  const isAlone = there.every(({ address }) => !address);
  return (
    <>
      {versions.length > 1 && (
        <Note kind="warning">
          <p>{`Nodes run different versions: ${versions.join(', ')}. That is fine while you upgrade; finish it soon.`}</p>
        </Note>
      )}
      {isAlone && (
        <Note icon="nodes">
          <p>This service works alone. docs/cluster.md says how to add machines to it.</p>
        </Note>
      )}
    </>
  );
}
