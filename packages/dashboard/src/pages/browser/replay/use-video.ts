/**
 * The video of a recording. Its address needs the key, which a `<video>` cannot send, so its bytes are fetched and
 * played from memory; large videos are loaded on demand.
 */
import type { api, Browser } from '@browserd/sdk';
import { useCallback, useEffect, useState } from 'react';

export type Video =
  | { state: 'waiting' }
  | { state: 'loading'; received: number }
  | { state: 'ready'; url: string }
  | { state: 'failed'; error: unknown };

const largeBytes = 64 * 1024 * 1024;

export function useVideo(browser: Browser, { id, size, mimeType }: api.Recording): [Video, load: () => void] {
  const [attempts, setAttempts] = useState(size <= largeBytes ? 1 : 0);
  const [video, setVideo] = useState<Video>({ state: 'waiting' });
  useEffect(() => {
    if (attempts === 0) return;
    const end = new AbortController();
    let url: string | undefined;
    setVideo({ state: 'loading', received: 0 });
    const fetchAll = async (): Promise<void> => {
      const content = await browser.recordings.content(id, { signal: end.signal });
      const blob = await collect(content.stream, mimeType, (received) =>
        setVideo({ state: 'loading', received }),
      );
      if (end.signal.aborted) return;
      url = URL.createObjectURL(blob);
      setVideo({ state: 'ready', url });
    };
    fetchAll().catch((error: unknown) => {
      if (!end.signal.aborted) setVideo({ state: 'failed', error });
    });
    return () => {
      end.abort();
      if (url) URL.revokeObjectURL(url);
    };
  }, [browser, id, mimeType, attempts]);
  return [video, useCallback(() => setAttempts((made) => made + 1), [])];
}

const reportEveryMs = 100;

async function collect(
  stream: ReadableStream<Uint8Array>,
  type: string,
  report: (received: number) => void,
): Promise<Blob> {
  const parts: BlobPart[] = [];
  const reader = stream.getReader();
  let received = 0;
  let reportedAt = performance.now();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts, { type });
    parts.push(value as Uint8Array<ArrayBuffer>);
    received += value.length;
    if (performance.now() - reportedAt < reportEveryMs) continue;
    reportedAt = performance.now();
    report(received);
  }
}
