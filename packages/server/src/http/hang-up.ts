/** Fires when the caller is gone before it has its answer. */
export function hangUp(response: {
  once(event: 'close', listener: () => void): unknown;
  writableFinished: boolean;
}): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
