import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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

/** Lets a colour be on the screen for a while; the answer is a moment at which it surely was. */
export async function watched(api: Api, id: string, colour: string): Promise<number> {
  await eventually(
    () => api.status(id),
    ({ body }) => body.activeTab?.title === colour,
  );
  await new Promise((resolve) => setTimeout(resolve, slackMs));
  return Date.now() - slackMs / 6;
}

/** Pages of one colour each, by its name. */
export interface Colours extends AsyncDisposable {
  /** For `create`: a small screen that shows a colour. */
  shown(colour: string): object;
  urlOf(colour: string): string;
}

export async function startColours(): Promise<Colours> {
  const server = createServer(({ url = '' }, response) => {
    const colour = url.slice(1);
    response
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><title>${colour}</title><html style="background:${colour}">`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const urlOf = (colour: string): string => `http://127.0.0.1:${port}/${colour}`;
  return {
    urlOf,
    shown: (colour) => ({
      viewport: { width: 640, height: 360 },
      policy: { privateAccess: { localhost: true } },
      startUrl: urlOf(colour),
    }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Takes the active tab to a page of another colour. */
export async function show(api: Api, id: string, colours: Colours, colour: string): Promise<number> {
  const body = { url: colours.urlOf(colour), waitFor: 'domcontentloaded' };
  expect((await api.call('POST', `/v1/browsers/${id}/scrape`, { body })).status).toBe(200);
  return watched(api, id, colour);
}
