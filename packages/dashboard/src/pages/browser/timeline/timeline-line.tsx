/** A line of the timeline, which opens to its details. */
import type { Browser } from '@browserd/sdk';
import { Link } from 'wouter';
import { Icon } from '../../../parts/controls/controls.ts';
import { clock, duration, Untrusted, WebLink } from '../../../parts/text/text.ts';
import { requestsAddress } from '../network-address.ts';
import { kinds } from './kinds.ts';
import { requestsLabel } from './requests-of.ts';
import { RunFiles } from './run-files.tsx';
import type { TimelineItem } from './timeline-items.ts';

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

export function TimelineLine(props: {
  browser: Browser;
  item: TimelineItem;
  isCurrent: boolean;
  isOpen: boolean;
  isCovered: boolean;
  onPick: () => void;
}) {
  const { browser, item, isCurrent, isOpen, isCovered, onPick } = props;
  const { key, kind, tone, says, about, at, endedAt, count } = item;
  return (
    <li data-key={key} className={`timeline-line tone-${tone} ${isCurrent ? 'current' : ''}`}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-current={isCurrent || undefined}
        title={isCovered ? 'Show this moment in the recording' : undefined}
        onClick={onPick}
      >
        <time dateTime={new Date(at).toISOString()}>{clock.format(at)}</time>
        <Icon name={kinds[kind].icon} size={14} />
        <span className="timeline-says">
          {says}
          {count > 1 && <b> ×{count}</b>}
          {endedAt !== undefined && <span className="faint"> {duration(endedAt - at)}</span>}
        </span>
        {about && <Untrusted text={about} className="timeline-about" />}
      </button>
      {isOpen && (
        <div className="timeline-more">
          {about && (/^https?:/i.test(about) ? <WebLink url={about} /> : <Untrusted text={about} />)}
          <RunFiles browser={browser} files={item.files} />
          {item.requests && (
            <Link href={requestsAddress(browser.id, item.requests)}>{requestsLabel(item.requests)}</Link>
          )}
          <span className="faint">
            {exact.format(at)} · {item.type}
            {!isCovered && ' · no recording of this moment'}
          </span>
        </div>
      )}
    </li>
  );
}
