import { expect } from 'vitest';
import type { Api } from './client.ts';
import { eventually } from './server.ts';

/** Recordings as the specs see them. */
export interface SeenRecording {
  id: string;
  state: string;
  epoch: number;
  startedAt: string;
  durationMs: number;
  frames: number;
  size: number;
  reason?: string;
}

export const pathOf = (id: string, recordingId = '', rest = ''): string =>
  `/v1/browsers/${id}/recordings${recordingId && `/${recordingId}`}${rest}`;

/** Oldest first. */
export const recordingsOf = async (api: Api, id: string): Promise<SeenRecording[]> =>
  (await api.call('GET', pathOf(id))).body.items.toReversed();

export const untilMade = (api: Api, id: string, recordingId: string): Promise<SeenRecording> =>
  eventually(
    async () => (await api.call('GET', pathOf(id, recordingId))).body,
    ({ state }) => state === 'ready' || state === 'failed',
  );

export const fetchContent = (
  api: Api,
  id: string,
  recordingId: string,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(api.url + pathOf(id, recordingId, '/content'), {
    headers: { authorization: `Bearer ${api.key}`, ...headers },
  });

export async function videoOf(api: Api, id: string, recordingId: string): Promise<Uint8Array> {
  const response = await fetchContent(api, id, recordingId);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('video/webm');
  return new Uint8Array(await response.arrayBuffer());
}

/** Between two pictures of a page that moves, with room for a busy machine. */
export const slackMs = 1500;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Shows a colour for a while; the answer is a moment at which it surely was on the screen. */
export async function show(api: Api, id: string, colour: string, first = ''): Promise<number> {
  const paint = `await page.evaluate((c) => { document.documentElement.style.background = c }, '${colour}')`;
  const { body } = await api.call('POST', `/v1/browsers/${id}/script/execute`, {
    body: { code: `${first}; ${paint}` },
  });
  expect(body.error).toBeUndefined();
  await pause(slackMs);
  return Date.now() - slackMs / 6;
}
