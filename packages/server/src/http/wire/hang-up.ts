/** Work that was given up because its caller hung up. It is not a failure, and its answer goes nowhere. */
export class HungUp extends Error {}

/** Aborts when the caller is gone before it has its answer. */
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
