/** Work that was given up because nobody waits for it any more. It is nobody's failure, and nobody reads the answer. */
export class HungUp extends Error {}

/** Fires when the caller is gone before it has its answer. */
export function hangUp(response: {
  once(event: 'close', listener: () => void): unknown;
  writableFinished: boolean;
}): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new HungUp('The caller has hung up.'));
  });
  return gone.signal;
}
