/** Headers as the service shows them: values that carry credentials are hidden, and said to be. */
import type { api } from '@browserd/sdk';
import { LongText, plainly } from '../../../../parts/text/text.ts';

const hidden = '•••';

export function Headers(props: {
  title: string;
  headers: api.NetworkRequestDetail['requestHeaders'];
  isCut?: boolean | undefined;
}) {
  const { title, headers, isCut } = props;
  if (headers.length === 0) return null;
  return (
    <details className="request-section" open>
      <summary>
        <h4>{title}</h4> <span className="faint">{headers.length}</span>
      </summary>
      <dl className="request-headers">
        {headers.map(({ name, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a list that does not change, with names that may be equal
          <div key={index}>
            <dt>
              <bdi>{plainly(name)}</bdi>
            </dt>
            <dd>
              {value === hidden ? (
                <span className="faint">••• hidden</span>
              ) : (
                <LongText text={plainly(value)} />
              )}
            </dd>
          </div>
        ))}
      </dl>
      {isCut && <p className="soft">There were more headers, or longer ones, than the log keeps.</p>}
    </details>
  );
}
