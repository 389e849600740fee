/** The page after a run. A click on a reference inserts its locator into the code. */
import type { api } from '@browserd/sdk';
import { useMemo } from 'react';
import { locatorOf, piecesOf } from './observation-refs.ts';

export function Observation(
  props: NonNullable<api.ScriptExecution['observation']> & { onRef: (text: string) => void },
) {
  const { kind, as, content, chars, tokens, truncated, file, error, onRef } = props;
  const size = `${chars} characters, about ${tokens} tokens`;
  const cut = truncated ? (file?.fileId ? ', cut; the whole is among the files' : ', cut') : '';
  const pieces = useMemo(() => (kind === 'aria' ? piecesOf(content) : [{ text: content }]), [kind, content]);
  return (
    <>
      <h3>
        Observation{' '}
        <span className="faint">{`${kind}${as === 'diff' ? ', what has changed' : ''}, ${size}${cut}`}</span>
      </h3>
      {error ? (
        <p className="soft">
          The page could not be observed: <bdi>{error.message}</bdi> <code>{error.code}</code>
        </p>
      ) : (
        <pre className="code-block observation">
          {pieces.map((piece, index) =>
            'ref' in piece ? (
              <button
                // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, in order
                key={index}
                type="button"
                className="ref"
                title={`Insert ${locatorOf(piece.ref)}`}
                onClick={() => onRef(locatorOf(piece.ref))}
              >
                {piece.ref}
              </button>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <bdi key={index}>{piece.text}</bdi>
            ),
          )}
        </pre>
      )}
    </>
  );
}
