/** One request in detail. What the page or the site chose of it is untrusted: text, and never a link that leads out. */
import type { api, Browser } from '@browserd/sdk';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Loaded } from '../../../../data/data.ts';
import { Button } from '../../../../parts/controls/controls.ts';
import { CopyButton } from '../../../../parts/copy/copy.ts';
import { Badge } from '../../../../parts/notices/notices.ts';
import { plainly } from '../../../../parts/text/text.ts';
import { nameOf, outcomeOf, timeWords } from '../request-facts.ts';
import { asCommand } from './as-command.ts';
import { Body } from './body.tsx';
import './detail.css';
import { Facts } from './facts.tsx';
import { Headers } from './headers.tsx';
import { Timing } from './timing.tsx';

const pendingEveryMs = 2000;

export interface DetailProps {
  browser: Browser;
  id: string;
  /** Among which the one is that led here. */
  rows: readonly api.NetworkRequest[];
  addressOf: (requestId: string) => string;
  onHost: (host: string) => void;
  onClose: () => void;
}

export function RequestDetail(props: DetailProps) {
  const { browser, id, onClose } = props;
  const title = useRef<HTMLHeadingElement>(null);
  const query = useQuery({
    queryKey: ['browser', browser.id, 'request', id],
    queryFn: ({ signal }) => browser.network.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? pendingEveryMs : false),
  });
  useEffect(() => title.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onClose();
  };
  const name = query.data && nameOf(query.data.url).name;
  return (
    <section className="request" aria-label="Request" onKeyDown={onKeyDown}>
      <header className="request-head">
        <h3 ref={title} tabIndex={-1}>
          <bdi>{name === undefined ? 'Request' : plainly(name.slice(0, 300))}</bdi>
        </h3>
        <Button small kind="quiet" icon="close" aria-label="Close details" onClick={onClose} />
      </header>
      <div className="request-body">
        <Loaded query={query} rows={6} label="Loading the request">
          {(request) => <Known {...props} request={request} />}
        </Loaded>
      </div>
    </section>
  );
}

function Known({ request, ...props }: DetailProps & { request: api.NetworkRequestDetail }) {
  const outcome = outcomeOf(request);
  const command = asCommand(request);
  return (
    <>
      <div className="row">
        <Badge tone={outcome.tone}>{plainly(outcome.text)}</Badge>
        <span className="soft">
          {plainly(request.method)} · {request.type} · {timeWords(request)}
        </span>
      </div>
      <div className="row">
        {command && <CopyButton text={command.text} what="as cURL" labelled />}
        <CopyButton text={request.url} what="URL" labelled />
      </div>
      {command && command.lacks.length > 0 && (
        <p className="soft">{`The cURL command comes without ${list.format(command.lacks)}.`}</p>
      )}
      <Facts {...props} request={request} />
      <Timing request={request} />
      <Headers title="Response headers" headers={request.responseHeaders} />
      <Headers title="Request headers" headers={request.requestHeaders} isCut={request.headersCut} />
      <Body browser={props.browser} request={request} />
    </>
  );
}

const list = new Intl.ListFormat('en', { type: 'conjunction' });
