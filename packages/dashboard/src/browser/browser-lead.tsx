import type { api } from '@browserd/sdk';
import { StatusBadge } from '../parts/badge.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Time } from '../parts/time.tsx';

export function BrowserLead({ record }: { record: api.Browser }) {
  const { id, status, engine, viewport, createdAt, expiresAt, epoch } = record;
  const isOver = status === 'closed' || status === 'failed';
  return (
    <span className="browser-lead">
      <StatusBadge status={status} />
      <span className="browser-id">
        <code>{id}</code>
        <CopyButton text={id} what="id" />
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
