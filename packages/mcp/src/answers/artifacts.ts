/** Files, downloads and recordings for a model: one shape for all three, with an id whose prefix says which it is. */
import type { Browser } from '@browserd/sdk';
import { z } from 'zod';
import { failure } from './failure.ts';
import { oneLine, visible, word } from './page-content.ts';

/** Without its name and type, which pages choose: they are in the fenced list beside it. */
export const artifactSchema = z.object({
  id: word,
  kind: z.enum(['file', 'download', 'recording']),
  size: z.int().optional().describe('Bytes.'),
  state: word,
});
export interface Artifact extends z.infer<typeof artifactSchema> {
  name: string;
  mimeType?: string;
}

export const artifactData = ({ id, kind, size, state }: Artifact): z.infer<typeof artifactSchema> => ({
  id,
  kind,
  ...(size !== undefined && { size }),
  state,
});

export const collections = ['files', 'downloads', 'recordings'] as const;
export type Collection = (typeof collections)[number];

const perKind = 20;

/** The newest of a collection. */
export async function listOf(
  browser: Browser,
  collection: Collection,
  signal: AbortSignal,
  limit = perKind,
): Promise<Artifact[]> {
  if (collection === 'files')
    return (await browser.files.list({ limit, signal }).page()).items.map(({ id, name, size, mimeType }) => ({
      id,
      kind: 'file' as const,
      name: oneLine(name),
      size,
      mimeType,
      state: 'completed',
    }));
  if (collection === 'downloads')
    return (await browser.downloads.list({ limit, signal }).page()).items.map((item) => ({
      id: item.id,
      kind: 'download' as const,
      name: oneLine(item.suggestedFilename),
      size: item.size ?? item.receivedBytes,
      ...(item.mimeType && { mimeType: item.mimeType }),
      state: item.state,
    }));
  return (await browser.recordings.list({ limit, signal }).page()).items.map(
    ({ id, size, mimeType, state, startedAt }) => ({
      id,
      kind: 'recording' as const,
      name: `recording of ${startedAt}`,
      size,
      mimeType,
      state,
    }),
  );
}

export const listArtifacts = async (browser: Browser, signal: AbortSignal): Promise<Artifact[]> =>
  (await Promise.all(collections.map((collection) => listOf(browser, collection, signal)))).flat();

export const artifactLine = ({ id, name, size, mimeType, state }: Artifact): string =>
  `${id}: ${name}, ${state}${size === undefined ? '' : `, ${size} bytes`}${mimeType ? `, ${mimeType}` : ''}`;

export const isText = (mimeType: string): boolean =>
  /^text\/|[/+](json|xml|javascript|yaml|csv|x-ndjson)\b/i.test(mimeType);

/** The API refuses a range that begins after the end, and an empty file has no range at all. */
export async function readText(
  browser: Browser,
  id: string,
  { startFrom, maxBytes }: { startFrom: number; maxBytes: number },
  signal: AbortSignal,
): Promise<{ content: string; size: number; nextStart?: number }> {
  const collection = id.startsWith('download_') ? browser.downloads : browser.files;
  const { size = 0, mimeType = 'application/octet-stream' } = await collection.get(id, { signal });
  if (!isText(mimeType)) throw failure('NOT_TEXT', `${id} is not text. Read it as a resource.`);
  if (size === 0) return { content: '', size };
  const range = { start: startFrom, end: startFrom + maxBytes - 1 };
  const bytes = wholeCharacters(
    await (await collection.content(id, { range, signal })).bytes(),
    size - startFrom,
  );
  const end = startFrom + bytes.length;
  const content = visible(new TextDecoder().decode(bytes));
  return { content, size, ...(end < size && { nextStart: end }) };
}

/** Without the beginning of a UTF-8 character whose end is in the next part. */
function wholeCharacters(bytes: Uint8Array, left: number): Uint8Array {
  if (bytes.length >= left) return bytes;
  let end = bytes.length;
  while (end > 0 && bytes.length - end < 3 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  const lead = bytes[end - 1] ?? 0;
  const wants = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return bytes.length - end + 1 < wants && end > 1 ? bytes.subarray(0, end - 1) : bytes;
}
