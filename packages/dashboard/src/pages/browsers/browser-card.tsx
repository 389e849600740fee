/** A browser in the list: its picture, name, status, page and actions. */
import type { api, Browser } from '@browserd/sdk';
import { useRef } from 'react';
import { Link } from 'wouter';
import { BrowserActions, StatusBadge } from '../../parts/browser/browser.ts';
import { Icon } from '../../parts/controls/controls.ts';
import { Badge } from '../../parts/notices/notices.ts';
import { Time, Untrusted } from '../../parts/text/text.ts';
import { Thumbnail, useSeen, useShot } from './thumbnail.tsx';
import type { Shot, Thumbnails } from './thumbnails.ts';

interface Props {
  browser: Browser & { record: api.Browser };
  thumbnails: Thumbnails;
}

export function BrowserCard({ browser, thumbnails }: Props) {
  const { record } = browser;
  const card = useRef<HTMLLIElement>(null);
  const seen = useSeen(card);
  const shot = useShot(thumbnails, record.id, seen && record.status === 'ready');
  return (
    <li className="card" ref={card}>
      <Thumbnail record={record} shot={shot} />
      <div className="card-body">
        <div className="card-title">
          <Link href={`/app/browsers/${record.id}`}>
            <Untrusted text={record.name ?? shortId(record.id)} />
          </Link>
          {record.handoff?.state === 'requested' ? (
            <Badge tone="warning">needs you</Badge>
          ) : (
            <StatusBadge status={record.status} />
          )}
        </div>
        <Shown record={record} shot={shot} />
        <Metadata metadata={record.metadata} />
        <div className="card-foot">
          <p>
            <Times record={record} />
            {record.tabs > 0 && <span>{record.tabs === 1 ? '1 tab' : `${record.tabs} tabs`}</span>}
            {record.recording && (
              <span className="card-recorded">
                <Icon name="record" size={12} /> recorded
              </span>
            )}
          </p>
          <div className="card-actions">
            <BrowserActions browser={browser} record={record} />
          </div>
        </div>
      </div>
    </li>
  );
}

/** Enough of an id to distinguish it: it begins with the time, and ends with random characters. */
const shortId = (id: string): string => `${id.slice(0, 8)}…${id.slice(-8)}`;

/** Always two lines, so that all cards have the same height. */
function Shown({ record, shot }: { record: api.Browser; shot: Shot | undefined }) {
  if (record.handoff)
    return (
      <div className="card-shown">
        <strong>
          {record.handoff.state === 'requested' ? 'Waiting for you to take over' : 'A person is in control'}
        </strong>
        <Untrusted text={record.handoff.message ?? ' '} />
      </div>
    );
  const trouble = record.statusReason ?? (shot?.title ? undefined : record.startPage?.error?.message);
  if (trouble)
    return (
      <div className="card-shown">
        <Untrusted text={trouble} />
      </div>
    );
  return (
    <div className="card-shown">
      <Untrusted text={shot?.title || ' '} />
      <Untrusted text={shot?.url ?? record.startUrl ?? ' '} className="faint" />
    </div>
  );
}

function Metadata({ metadata }: { metadata: Record<string, string> }) {
  const pairs = Object.entries(metadata);
  if (pairs.length === 0) return null;
  return (
    <ul className="tags" aria-label="Metadata">
      {pairs.slice(0, 3).map(([key, value]) => (
        <li key={key}>
          <Untrusted text={`${key}=${value}`} />
        </li>
      ))}
      {pairs.length > 3 && <li>+{pairs.length - 3}</li>}
    </ul>
  );
}

function Times({ record }: { record: api.Browser }) {
  if (record.closedAt)
    return (
      <span>
        closed <Time at={record.closedAt} />
      </span>
    );
  return (
    <span>
      created <Time at={record.createdAt} />
    </span>
  );
}
