/** The line below the title of a browser: its status, id, engine and times. */
import type { api } from '@browserd/sdk';
import { StatusBadge } from '../../../parts/browser/browser.ts';
import { CopyButton } from '../../../parts/copy/copy.ts';
import { Time } from '../../../parts/text/text.ts';

export function BrowserLead({ record }: { record: api.Browser }) {
  const { id, status, engine, viewport, createdAt, expiresAt, epoch } = record;
  const isOver = status === 'closed' || status === 'failed';
  return (
    <span className="browser-lead">
      <StatusBadge status={status} />
      <span className="browser-id">
        <code>{id}</code>
        <CopyButton text={id} what="ID" />
      </span>
      <span>
        {engine} · {viewport.width}×{viewport.height}
        {epoch > 1 && ` · epoch ${epoch}`}
      </span>
      <span>
        created <Time at={createdAt} />
      </span>
      {!isOver && (
        <span>
          closes <Time at={expiresAt} />
        </span>
      )}
    </span>
  );
}
