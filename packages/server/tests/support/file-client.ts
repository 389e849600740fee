import type { Answer, Api } from './client.ts';
import { expectContract } from './contract.ts';

/** Uploads and downloads of the specs, with answers checked like all others. */
export interface Sent {
  body: NonNullable<RequestInit['body']> | AsyncIterable<Uint8Array>;
  headers?: Record<string, string>;
}

export async function upload(api: Api, browserId: string, query: string, sent: Sent): Promise<Answer> {
  const path = `/v1/browsers/${browserId}/files${query}`;
  const response = await fetch(api.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.key}`, ...sent.headers },
    body: sent.body as RequestInit['body'],
    duplex: 'half',
  } as RequestInit);
  const answer = { status: response.status, body: await response.json(), headers: response.headers };
  expectContract('POST', path, answer);
  return answer;
}

export const named = (name: string): string => `?name=${encodeURIComponent(name)}`;

export const contentPath = (browserId: string, fileId: string): string =>
  `/v1/browsers/${browserId}/files/${fileId}/content`;

export const download = (
  api: Api,
  browserId: string,
  fileId: string,
  { headers, ...init }: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
): Promise<Response> =>
  fetch(api.url + contentPath(browserId, fileId), {
    ...init,
    headers: { authorization: `Bearer ${api.key}`, ...headers },
  });
