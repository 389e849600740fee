/**
 * The body of an answer, when a person asks for it: Chromium has it only for a while. It is the work of a site, so it is
 * shown as text or as a picture, never as a page, and a long one is cut before it reaches the layout.
 */
import type { api, Browser } from '@browserd/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Loaded } from '../../../../data/data.ts';
import { Button } from '../../../../parts/controls/controls.ts';
import { Picture, SaveButton } from '../../../../parts/files/files.ts';
import { plainly, size } from '../../../../parts/text/text.ts';
import { nameOf } from '../request-facts.ts';
import { type BodyKind, bodyKindOf, inLines } from './body-kind.ts';

/** Of a text; the whole can be saved. */
const mostBytes = 200 * 1024;

type Shown = { kind: BodyKind; bytes: number; text?: string; picture?: Blob };

export function Body({ browser, request }: { browser: Browser; request: api.NetworkRequestDetail }) {
  const [isAsked, setIsAsked] = useState(false);
  const none = whyNone(request);
  return (
    <section className="request-section" aria-label="Body">
      <h4>Body</h4>
      {none && <p className="soft">{none}</p>}
      {!none && !isAsked && (
        <Button small icon="eye" onClick={() => setIsAsked(true)}>
          Show body
        </Button>
      )}
      {!none && isAsked && <Fetched browser={browser} request={request} />}
    </section>
  );
}

function whyNone({ webSocket, redirectedTo, state, failure }: api.NetworkRequest): string | undefined {
  if (webSocket) return 'Frames of WebSockets are counted, and not kept.';
  if (redirectedTo) return 'A redirect has no body; the request that followed may have one.';
  if (failure) return 'The request failed.';
  return state === 'pending' ? 'The answer is not complete yet.' : undefined;
}

function Fetched({ browser, request }: { browser: Browser; request: api.NetworkRequestDetail }) {
  const { id, mimeType, url } = request;
  const query = useQuery({
    queryKey: ['browser', browser.id, 'request', id, 'body'],
    queryFn: async ({ signal }) =>
      shownOf(await (await browser.network.content(id, { signal })).blob(), mimeType),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Loaded query={query} rows={3} label="Loading the body">
      {(shown) => (
        <>
          <Preview {...shown} />
          <SaveButton
            name={fileName(url)}
            label="Save body"
            labelled
            fetch={(signal) => browser.network.content(id, { signal })}
          />
        </>
      )}
    </Loaded>
  );
}

async function shownOf(content: Blob, mimeType: string | undefined): Promise<Shown> {
  const kind = bodyKindOf(mimeType);
  const bytes = content.size;
  if (kind === 'picture') return { kind, bytes, picture: new Blob([content], { type: mimeType }) };
  if (kind === 'other') return { kind, bytes };
  const text = await content.slice(0, mostBytes).text();
  return { kind, bytes, text: kind === 'json' && bytes <= mostBytes ? inLines(text) : text };
}

function Preview({ bytes, text, picture }: Shown) {
  if (bytes === 0) return <p className="soft">It is empty.</p>;
  if (picture) return <Picture content={picture} label="The body as a picture" />;
  if (text === undefined)
    return (
      <p className="soft">{`${size(bytes)} of a type that is not shown here. Save it to look at it.`}</p>
    );
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached with the keyboard */}
      <pre className="code-block request-text" tabIndex={0}>
        <bdi>{plainly(text)}</bdi>
      </pre>
      {bytes > mostBytes && <p className="soft">{`The first ${size(mostBytes)} of ${size(bytes)}.`}</p>}
    </>
  );
}

/** A file system takes no name of a site as it is. */
const fileName = (url: string): string =>
  nameOf(url)
    .name.replace(/\?.*$/s, '')
    .replaceAll(/[^\w.-]+/g, '_')
    .slice(-100) || 'body';
