import type { Answer, Api } from './client.ts';
import { expectContract } from './contract.ts';
import type { Sent } from './file-client.ts';

/** Uploads to the project, with answers checked like all others. */
export async function uploadToProject(api: Api, query: string, sent: Sent): Promise<Answer> {
  const path = `/v1/files${query}`;
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

export const projectFile = (id: string, rest = ''): string => `/v1/files/${id}${rest}`;

export const fetchFile = (
  api: Api,
  id: string,
  { headers, ...init }: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
): Promise<Response> =>
  fetch(api.url + projectFile(id, '/content'), {
    ...init,
    headers: { authorization: `Bearer ${api.key}`, ...headers },
  });
