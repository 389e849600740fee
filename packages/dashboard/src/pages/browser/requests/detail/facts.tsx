/** The facts of a request: where it went, what came of it, who decided, what followed. */
import type { api } from '@browserd/sdk';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Button } from '../../../../parts/controls/controls.ts';
import { asWords, LongText, plainly, size } from '../../../../parts/text/text.ts';
import { hostOf, nameOf } from '../request-facts.ts';

type Detail = api.NetworkRequestDetail;

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export function Facts(props: {
  request: Detail;
  rows: readonly api.NetworkRequest[];
  addressOf: (requestId: string) => string;
  onHost: (host: string) => void;
}) {
  const { request, rows, addressOf, onHost } = props;
  const { failure, rule, initiator, proxy, remoteAddress, redirectedTo, webSocket } = request;
  const host = hostOf(request.url);
  const cameFrom = rows.find((each) => each.redirectedTo === request.id);
  const to = rows.find(({ id }) => id === redirectedTo);
  const linkTo = (id: string, url: string | undefined): ReactNode => (
    <Link href={addressOf(id)}>
      <bdi>{url === undefined ? 'the request that followed' : plainly(nameOf(url).name.slice(0, 300))}</bdi>
    </Link>
  );
  const facts: readonly (readonly [label: string, value: ReactNode])[] = [
    ['Address', text(request.url)],
    [
      'Host',
      host && (
        <span className="request-host">
          {text(host)}
          <Button
            small
            kind="quiet"
            icon="search"
            aria-label={`Only ${plainly(host)}`}
            onClick={() => onHost(host)}
          />
        </span>
      ),
    ],
    ['Status', request.status !== undefined && text(`${request.status} ${request.statusText ?? ''}`.trim())],
    ['Failure', failure && text([failure.error, failure.detail].filter(Boolean).join(', '))],
    ['Policy rule', rule && text(asWords(rule))],
    ['Redirected to', redirectedTo && linkTo(redirectedTo, to?.url)],
    ['Redirected from', cameFrom && linkTo(cameFrom.id, cameFrom.url)],
    ['Content', request.mimeType && text(request.mimeType)],
    ['Received', received(request)],
    ['Frames', webSocket && frames(webSocket)],
    ['Protocol', request.protocol && text(request.protocol)],
    ['Remote address', remoteAddress && text(remoteAddress)],
    ['Proxy', proxy && text(proxy)],
    ['Asked by', asWords(request.from)],
    ['Initiator', initiator && initiatorOf(initiator)],
    ['Began', exact.format(new Date(request.startedAt))],
  ];
  return (
    <dl className="request-facts">
      {facts.map(
        ([label, value]) =>
          value && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

const text = (value: string): ReactNode => <LongText text={plainly(value)} />;

function received({ fromCache, fromServiceWorker, wireBytes, bodyBytes }: Detail): string | undefined {
  const body = `${size(bodyBytes)} of content`;
  if (fromCache) return `${body}, from the cache`;
  if (fromServiceWorker) return `${body}, from a service worker`;
  return wireBytes + bodyBytes > 0 ? `${size(wireBytes)}, ${body}` : undefined;
}

const frames = (counted: NonNullable<Detail['webSocket']>): string =>
  `${counted.framesSent} sent (${size(counted.bytesSent)}), ${counted.framesReceived} received (${size(counted.bytesReceived)})`;

function initiatorOf({ type, url, line }: NonNullable<Detail['initiator']>): ReactNode {
  if (!url) return asWords(type);
  return (
    <>
      {asWords(type)}, {text(line === undefined ? url : `${url}:${line}`)}
    </>
  );
}
