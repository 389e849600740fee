import { expect } from 'vitest';
import type { Api } from './client.ts';
import { download } from './file-client.ts';
import { unzip } from './zip.ts';

/** Traces and bundles as a caller gets them: the entries of the file that an answer names. */
export async function entriesOf(
  api: Api,
  browserId: string,
  kept: { fileId?: string; omitted?: string } | undefined,
): Promise<Map<string, Buffer>> {
  expect(kept).toEqual({ fileId: expect.any(String) });
  const response = await download(api, browserId, kept?.fileId ?? '');
  expect(response.headers.get('content-type')).toBe('application/zip');
  return unzip(Buffer.from(await response.arrayBuffer()));
}

export interface TraceEvent {
  type: string;
  class?: string;
  method?: string;
  callId?: string;
  [more: string]: unknown;
}

export const eventsIn = (entries: Map<string, Buffer>, name = 'trace.trace'): TraceEvent[] =>
  (entries.get(name)?.toString('utf8') ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** The methods that were called, in order. */
export const actionsIn = (entries: Map<string, Buffer>): string[] =>
  eventsIn(entries)
    .filter(({ type }) => type === 'before')
    .map(({ method }) => String(method));
