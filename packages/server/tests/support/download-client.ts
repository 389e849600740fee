import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { connectWithKey } from './cdp-client.ts';
import type { Answer, Api } from './client.ts';
import { eventually } from './server.ts';

/** What the specs of downloads do again and again. */
export const open = { privateAccess: { localhost: true } };

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
export type Record = any;

export async function newBrowser(api: Api, policy: object = {}, more: object = {}): Promise<string> {
  const { body } = await api.create({ policy: { ...open, ...policy }, ...more });
  return body.id;
}

export const listOf = async (api: Api, id: string): Promise<Record[]> =>
  (await api.call('GET', `/v1/browsers/${id}/downloads?limit=100`)).body.items;

export const getOne = async (api: Api, id: string, downloadId: string): Promise<Record> =>
  (await api.call('GET', `/v1/browsers/${id}/downloads/${downloadId}`)).body;

export const content = (api: Api, id: string, downloadId: string): Promise<Answer> =>
  api.call('GET', `/v1/browsers/${id}/downloads/${downloadId}/content`);

/** The newest one, once it fits. */
export async function nextDownload(
  api: Api,
  id: string,
  fits: (download: Record) => boolean = ({ state }) => state !== 'inProgress',
  before: ReadonlySet<string> = new Set(),
): Promise<Record> {
  const items = await eventually(
    () => listOf(api, id),
    ([newest]) => newest !== undefined && !before.has(newest.id) && fits(newest),
  );
  return items[0];
}

export const run = (api: Api, id: string, code: string, args?: unknown): Promise<Answer> =>
  api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code, args } });

/** Navigates its first tab without waiting: an address that is a download never arrives. */
export async function visit(api: Api, id: string, url: string): Promise<void> {
  const client = await connectWithKey(api, id);
  const { errorText } = await client.send('Page.navigate', { url }, await client.attach());
  client.socket.close();
  if (errorText && errorText !== 'net::ERR_ABORTED') throw new Error(`${url}: ${errorText}`);
}

/** The next one after such a visit, once it fits. */
export async function downloadFrom(
  api: Api,
  id: string,
  url: string,
  fits?: (download: Record) => boolean,
): Promise<Record> {
  const before = new Set((await listOf(api, id)).map((download) => download.id));
  await visit(api, id, url);
  return nextDownload(api, id, fits, before);
}

/** Straight from the database: what a restart would find. */
export async function eventsOf(
  dataDir: string,
  browserId: string,
  like = 'download.%',
): Promise<{ type: string; data: { [name: string]: unknown } }[]> {
  const [name = ''] = readdirSync(dataDir).filter((file) => /\.(db|sqlite)$/.test(file));
  using database = new DatabaseSync(join(dataDir, name), { readOnly: true });
  const rows = database
    .prepare('select type, data from events where browser_id = ? and type like ? order by seq')
    .all(browserId, like);
  return rows.map(({ type, data }) => ({ type: String(type), data: JSON.parse(String(data)) }));
}
