/** What is to be said of the log besides its rows: how many there are, what is missing, and why there are none. */
import { Button } from '../../../parts/controls/controls.ts';
import { Empty, ErrorNote, Note, Skeleton } from '../../../parts/notices/notices.ts';
import type { Requests } from './use-requests.ts';

/** Of each tab; a HAR of the whole life of a browser is another matter. */
const logged = 1000;

export function Remarks({ requests, shown }: { requests: Requests; shown: number }) {
  const { rows, dropped, error, hasOlder, isFull, loadingOlder } = requests;
  return (
    <>
      {error !== undefined && <ErrorNote error={error} onRetry={requests.retry} />}
      {dropped > 0 && (
        <Note kind="warning">
          {`${dropped.toLocaleString()} ${dropped === 1 ? 'request was' : 'requests were'} made so fast that the log has only counted them.`}
        </Note>
      )}
      {rows.length > 0 && (
        <div className="requests-count">
          <span className="faint">
            {shown === rows.length ? '' : `${shown.toLocaleString()} of `}
            {`${hasOlder ? 'the last ' : ''}${rows.length.toLocaleString()} ${rows.length === 1 ? 'request' : 'requests'}`}
            {!hasOlder && rows.length >= logged && !isFull && '. The log keeps the last 1,000 of each tab'}
            {isFull && '. More are not shown here: save a HAR, or use filters'}
          </span>
          {hasOlder && !isFull && (
            <Button small busy={loadingOlder} onClick={requests.loadOlder}>
              {shown === rows.length ? 'Load older' : 'Search older'}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

export function Nothing(props: { requests: Requests; isFiltered: boolean; onAll: () => void }) {
  const { requests, isFiltered, onAll } = props;
  if (requests.loading) return <Skeleton rows={5} label="Loading requests" />;
  if (requests.error !== undefined && requests.rows.length === 0) return null;
  if (requests.isOff)
    return (
      <Empty icon="webhooks" title="The log is off">
        The operator of this service has turned the log of requests off (BROWSERD_NETWORK_LOG).
      </Empty>
    );
  if (isFiltered)
    return (
      <Empty
        icon="search"
        title="No matching requests"
        action={<Button onClick={onAll}>Clear filters</Button>}
      >
        No logged request fits these filters.
      </Empty>
    );
  return (
    <Empty icon="webhooks" title="No requests yet">
      What the pages of this browser ask of the network shows up here.
    </Empty>
  );
}
